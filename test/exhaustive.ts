/**
 * Where everything is tried with everything, `npm test` tries a part, the same in each run; `npm run test:exhaustive` tries
 * all of it.
 */
export const IS_EXHAUSTIVE = process.env['OCTAVO_EXHAUSTIVE'] === '1';

/** One of `parts` equal parts of a list. The parts at `parts` consecutive places are together the list. */
export const partOf = <T>(items: readonly T[], parts: number, place: number): readonly T[] =>
  IS_EXHAUSTIVE ? items : items.filter((_item, n) => n % parts === place % parts);
