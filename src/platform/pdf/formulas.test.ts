import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formula } from '../../content-engine/render/typst/math/index.ts';
import { typesetBook } from '../../content-engine/render/typst/index.ts';
import { FORMULAS } from '../../../test/formulas.ts';
import { createPdf } from './index.ts';

const TIMEOUT = 120_000;
const pdf = createPdf({ limitMs: TIMEOUT });
const { preamble } = typesetBook({ title: 'Formulas', pages: [] });

const isTranslated = (latex: string): boolean => formula(latex, true).startsWith('#equation');

/** One formula that does not compile fails the whole book. */
async function compile(formulas: readonly string[]): Promise<void> {
  const markup = formulas.map((latex) => formula(latex, true)).join('\n\n');
  const bytes = await pdf.make({
    owner: 'test',
    signal: new AbortController().signal,
    write: () =>
      Promise.resolve({
        preamble,
        sheets: [{ name: 'Formulas', markup, files: [], places: [] }],
        front: () => '',
        readFile: () => Promise.resolve(undefined),
      }),
  });
  expect(bytes.length).toBeGreaterThan(1000);
}

/** Commands and characters of the formulas above, in any order, with the braces closed. */
const randomFormula = fc
  .array(
    fc.constantFrom(
      ...new Set(FORMULAS.join(' ').match(/\\(?:begin|end)\{[a-z*]+\}|\\[A-Za-z]+\{?|\\?[^A-Za-z\s]|[a-z]/g)),
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) => {
    const text = parts.join(' ');
    return text + '}'.repeat(Math.max(0, text.split('{').length - text.split('}').length));
  });

describe('formulas', { timeout: TIMEOUT }, () => {
  it('compile as authors write them; few are shown as their source', async () => {
    const untranslated = FORMULAS.filter((latex) => !isTranslated(latex));
    expect(FORMULAS.length).toBeGreaterThan(200);
    expect(untranslated.length / FORMULAS.length).toBeLessThan(0.06);
    await compile(FORMULAS);
  });

  it('compile with any character in an argument', async () => {
    const isSource = (char: string): boolean => isTranslated(char) && !formula(char, true).includes('$"');
    const characters = Array.from({ length: 0x2c00 }, (_each, code) => String.fromCodePoint(code));
    const formulas = characters.filter(isSource).map((char) => `\\frac{${char}}{\\hat{${char}}}`);
    expect(formulas.length).toBeGreaterThan(1000);
    const rows = Array.from({ length: Math.ceil(formulas.length / 20) }, (_each, row) =>
      formulas.slice(20 * row, 20 * row + 20).join(''),
    );
    await compile(rows);
  });

  it('compile if they are translated, also random ones', async () => {
    const translated = fc.sample(randomFormula, { numRuns: 4000, seed: 7 }).filter(isTranslated);
    expect(translated.length).toBeGreaterThan(300);
    await compile(translated);
  });
});
