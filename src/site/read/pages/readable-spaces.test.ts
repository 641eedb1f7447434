import { describe, expect, test, vi } from 'vitest';
import * as parsing from '../../../content-engine/expressions/parse.ts';
import { TooLargeHere } from '../../../platform/api/too-large-here.ts';
import type { PublishedSite } from '../published-site.ts';
import { readableSpaces } from './readable-spaces.ts';
import type { Visitor } from '../visitor.ts';

/** The site spaces of a site with many conditions, for visitors of many classes. */

const SECTIONS = 500;

/** Two site spaces in each section. */
const siteOf = (conditionOf: (index: number) => string | null): PublishedSite => {
  const sections = Array.from({ length: SECTIONS }, (_each, index) => ({
    id: `section${index}`,
    condition: conditionOf(index),
  }));
  const sectionsById = new Map(sections.map((section) => [section.id, section]));
  return {
    sections,
    site_spaces: Array.from({ length: SECTIONS * 2 }, (_each, index) => ({
      id: `siteSpace${index}`,
      sectionId: `section${index % SECTIONS}`,
      condition: conditionOf(SECTIONS + index),
    })),
    sectionOf: ({ sectionId }: { sectionId: string }) => sectionsById.get(sectionId),
  } as unknown as PublishedSite;
};

let classes = 0;
const newVisitor = (a: string): Visitor => ({
  claims: { signed: {}, unsigned: { a } },
  class: `class ${classes++}`,
  refusal: undefined,
});

describe('conditions of sections and site spaces', () => {
  test('hide a section with its site spaces, and single site spaces', async () => {
    const site = siteOf((index) => (index % 10 === 3 ? 'visitor.claims.unsigned.a === "x"' : ' '));
    expect(await readableSpaces({ isFront: true }, site, newVisitor('x'))).toHaveLength(1000);
    const shown = (await readableSpaces({ isFront: true }, site, newVisitor('y'))).map(({ id }) => id);
    expect(shown).toHaveLength(900);
    expect(shown).not.toContain('siteSpace3');
  });

  test('are evaluated once for the visitors of a class, and once for equal texts', async () => {
    const site = siteOf((index) => `visitor.claims.unsigned.a !== "${index % 10}"`);
    const visitor = newVisitor('3');
    const parse = vi.spyOn(parsing, 'parse');
    const readable = await readableSpaces({ isFront: true }, site, visitor);
    expect(readable).toHaveLength(900);
    expect(await readableSpaces({ isFront: true }, site, visitor)).toBe(readable);
    expect(parse).toHaveBeenCalledTimes(10);
  });

  test('that are long are left to the heavy process, and are not evaluated again', async () => {
    const long = 'visitor.claims.unsigned.a !== "x"' + ' && !false'.repeat(10);
    const site = siteOf((index) => `${long} && ${index} >= 0`);
    const visitor = newVisitor('y');
    await expect(readableSpaces({ isFront: true }, site, visitor)).rejects.toThrow(TooLargeHere);
    const readable = await readableSpaces({ isFront: false }, site, visitor);
    expect(readable).toHaveLength(1000);
    expect(await readableSpaces({ isFront: true }, site, visitor)).toBe(readable);
  });
});
