import { literal } from '../literal.ts';

/**
 * Characters that mean themselves in math of Typst: Greek letters, arrows, operators, shapes. The two that are missing
 * among the Greek letters consist of two glyphs, which Typst refuses.
 */
const MATH =
  /^[\u0370-\u03d2\u03d5-\u03ff\u2016\u2020-\u2022\u2026\u2032\u2100-\u23ff\u25a0-\u25ff\u2660-\u266f\u27c0-\u27ff\u2900-\u2bff±×÷¬°]$/u;

/** A character or number as source of Typst: escaped where Typst gives it a meaning, and a string where in doubt. */
export function escapeSymbol(text: string): string {
  if (text === '-') return '−';
  if (/^(?:[A-Za-z]|\d+(?:\.\d+)?)$/.test(text)) return text;
  // Unescaped, a root would apply to the next atom, and an opening bracket would need its counterpart.
  if (/^[!-/:-@[-`{-~√∛∜\p{Ps}\p{Pe}⌜-⌟⎰⎱]$/u.test(text)) return `\\${text}`;
  return MATH.test(text) ? text : literal(text);
}

/** The content inside calls of functions, the outer first: `bold upright` is `bold(upright(…))`. */
export const apply = (functions: string, content: string): string =>
  functions.split(' ').reduceRight((inner, name) => `${name}(${inner})`, content);
