import { describe, expect, test } from 'vitest';
import { withFormulas } from './math.ts';

const t = (text: string) => `<m:r><m:t>${text}</m:t></m:r>`;
const e = (content: string, name = 'e') => `<m:${name}>${content}</m:${name}>`;

/** The TeX of a formula in a line. */
const tex = (content: string): string =>
  /\\\((.*)\\\)/.exec(withFormulas(`<w:p><m:oMath>${content}</m:oMath></w:p>`))?.[1] ?? '';

describe('formulas of Word documents', () => {
  test.each<[string, string, string]>([
    ['text', t('a+b'), 'a+b'],
    ['special characters', t('50% &amp; {x}_1 \\'), '50\\% \\&amp; \\{x\\}\\_1 \\backslash'],
    ['fraction', `<m:f>${e(t('1'), 'num')}${e(t('2'), 'den')}</m:f>`, '\\frac{1}{2}'],
    ['power', `<m:sSup>${e(t('x'))}${e(t('2'), 'sup')}</m:sSup>`, '{x}^{2}'],
    [
      'index and power',
      `<m:sSubSup>${e(t('x'))}${e(t('i'), 'sub')}${e(t('2'), 'sup')}</m:sSubSup>`,
      '{x}_{i}^{2}',
    ],
    ['root', `<m:rad><m:deg/>${e(t('x'))}</m:rad>`, '\\sqrt{x}'],
    ['cube root', `<m:rad>${e(t('3'), 'deg')}${e(t('x'))}</m:rad>`, '\\sqrt[3]{x}'],
    [
      'sum',
      `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr>${e(t('i=1'), 'sub')}${e(t('n'), 'sup')}${e(t('i'))}</m:nary>`,
      '\\sum_{i=1}^{n} i',
    ],
    ['integral', `<m:nary>${e('', 'sub')}${e('', 'sup')}${e(t('f'))}</m:nary>`, '\\int f'],
    ['parentheses', `<m:d>${e(t('a'))}${e(t('b'))}</m:d>`, '\\left( a | b \\right)'],
    [
      'braces',
      `<m:d><m:dPr><m:begChr m:val="{"/><m:endChr m:val=""/></m:dPr>${e(t('a'))}</m:d>`,
      '\\left\\{ a \\right.',
    ],
    ['function', `<m:func>${e(t('sin'), 'fName')}${e(t('x'))}</m:func>`, '\\sin x'],
    ['vector', `<m:acc><m:accPr><m:chr m:val="⃗"/></m:accPr>${e(t('v'))}</m:acc>`, '\\vec{v}'],
    [
      'matrix',
      `<m:m><m:mr>${e(t('a'))}${e(t('b'))}</m:mr><m:mr>${e(t('c'))}${e(t('d'))}</m:mr></m:m>`,
      '\\begin{matrix} a &amp; b \\\\ c &amp; d \\end{matrix}',
    ],
    ['unknown elements', `<m:box>${e(t('x'))}</m:box>`, 'x'],
    ['unclosed elements', '<m:f><m:num><m:r><m:t>x', '\\frac{x}{}'],
  ])('%s', (_name, content, expected) => {
    expect(tex(content)).toBe(expected);
  });

  test('a formula without an end is left as it is', () => {
    const xml = `<w:p>${'<m:oMath>'.repeat(100_000)}</w:p>`;
    expect(withFormulas(xml)).toBe(xml);
    expect(withFormulas(`<m:oMath>${'<m:e>'.repeat(100_000)}<m:t>x</m:t></m:oMath>`)).toBe('');
  });

  test('a formula on a line of its own is a block', () => {
    expect(withFormulas(`<m:oMathPara><m:oMath>${t('x')}</m:oMath></m:oMathPara>`)).toContain('\\[x\\]');
  });
});
