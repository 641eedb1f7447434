import { breakable, literal } from '../literal.ts';
import { translate } from './parse.ts';

/** A formula of LaTeX. What is not understood is shown as it was written, for that can be read as well. */
export function formula(latex: string, block: boolean): string {
  const source = latex.trim();
  if (source === '') return '';
  const math = source.length > 5000 ? undefined : translate(source);
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
