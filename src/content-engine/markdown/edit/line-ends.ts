import { pairUp, type ComparisonBudget } from '../../diff/index.ts';
import { withLineFeeds } from '../scan/syntax/chars.ts';

/** A body with line feeds only, for editing, and a function that restores its line ends. */
export interface LineEnds {
  readonly text: string;
  readonly restore: (edited: string) => string;
}

const LINE_END = /\r\n|\n|\r/g;

export function lineEndsOf(body: string, budget: ComparisonBudget): LineEnds {
  if (!body.includes('\r')) return { text: body, restore: (edited) => edited };
  const text = withLineFeeds(body);
  const ends = body.match(LINE_END) ?? [];
  const usual = mostFrequent(ends);
  const isMixed = ends.some((end) => end !== usual);
  return {
    text,
    restore: (edited) =>
      isMixed ? withEndsOf(text.split('\n'), ends, usual, edited, budget) : edited.replaceAll('\n', usual),
  };
}

/** Lines that stayed or moved keep their own ends; new lines end as most do. */
function withEndsOf(
  before: readonly string[],
  ends: readonly string[],
  usual: string,
  edited: string,
  budget: ComparisonBudget,
): string {
  const lines = edited.split('\n');
  const pairs = pairUp(before, lines, budget);
  const stayed = new Map(pairs.map(([old, now]) => [now, ends[old]]));
  const byText = new Map(before.map((line, index) => [line, ends[index]]));
  const last = lines.length - 1;
  return lines
    .map((line, index) => (index === last ? line : line + (stayed.get(index) ?? byText.get(line) ?? usual)))
    .join('');
}

function mostFrequent(ends: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const end of ends) counts.set(end, (counts.get(end) ?? 0) + 1);
  const [[most] = ['\n', 0]] = [...counts].toSorted(([, one], [, other]) => other - one);
  return most;
}
