import { breakable, literal } from '../literal.ts';
import { translate } from './translate.ts';

/** Longer formulas are shown as their source. */
const MAX_LENGTH = 5000;

/** A formula of LaTeX as markup of Typst. A formula that is not understood is shown as its source. */
export function formula(latex: string, block: boolean): string {
  const source = latex.trim();
  if (source === '') return '';
  const math = source.length > MAX_LENGTH ? undefined : translate(source);
  if (math !== undefined) return `#equation(${block}, ${literal(source)}, $${math}$)`;
  return block
    ? `#code([], false, ${literal(source)}, ${lines(source)})`
    : `#raw(${literal(breakable(source))})`;
}

const lines = (source: string): string =>
  source
    .split('\n')
    .map((line) => `(false, [#${literal(breakable(line))}])`)
    .join(', ');
