import type { GeneratedPart } from '../tree/index.ts';

export const bodyOf = (parts: readonly GeneratedPart[]): string =>
  parts.length === 0 ? '' : `${parts.map(([, text]) => text).join('\n\n')}\n`;

/** The parts in their new order, each of those that stay although they are no longer given after the one before it. */
export function withRemaining(
  before: readonly GeneratedPart[],
  after: readonly GeneratedPart[],
  isRemaining: (part: GeneratedPart) => boolean,
): GeneratedPart[] {
  const given = new Set(after.map(([key]) => key));
  const all = [...after];
  for (const [index, part] of before.entries()) {
    if (given.has(part[0]) || !isRemaining(part)) continue;
    const previous = before[index - 1]?.[0];
    all.splice(all.findIndex(([key]) => key === previous) + 1, 0, part);
  }
  return all;
}

/**
 * A body that a user has edited, with new parts: only what differs between the parts changes. Parts that are no longer
 * in the text were deleted, and stay so.
 */
export function updateBody(
  body: string,
  before: readonly GeneratedPart[],
  after: readonly GeneratedPart[],
): string {
  const [old, now] = [new Map(before), new Map(after)];
  let text = body;
  for (const part of before) if (!now.has(part[0])) text = withoutPart(text, part[1]);
  for (const [key, part] of after) {
    const spelled = old.get(key);
    if (spelled !== undefined && spelled !== part) text = respelled(text, spelled, part);
  }
  let above: string | undefined;
  for (const [key, part] of after) {
    if (!old.has(key)) text = withPart(text, part, above);
    if (findPart(text, part) !== undefined) above = part;
  }
  return text;
}

export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Where whole lines are a text. */
function findText(body: string, text: string): Range | undefined {
  if (text === '') return undefined;
  for (let start = body.indexOf(text); start >= 0; start = body.indexOf(text, start + 1)) {
    const end = start + text.length;
    if (isLineEnd(body[start - 1]) && isLineEnd(body[end])) return { start, end };
  }
  return undefined;
}

const isLineEnd = (char: string | undefined): boolean => char === undefined || char === '\n' || char === '\r';

const replaced = (body: string, { start, end }: Range, text: string): string =>
  body.slice(0, start) + text + body.slice(end);

/**
 * Where a part is. Of a block with a heading, people may have changed the heading, or written before the block or between
 * its tags: then it is the block alone, or its first tag.
 */
export function findPart(body: string, part: string): Range | undefined {
  const at = part.search(/^\{% /m);
  const block = at < 0 ? part : part.slice(at);
  return (
    findText(body, part) ?? findText(body, block) ?? (at < 0 ? undefined : findText(body, firstLine(block)))
  );
}

/** Line by line if a user has inserted lines into a block. */
function respelled(body: string, before: string, after: string): string {
  const whole = findText(body, before);
  if (whole !== undefined) return replaced(body, whole, after);
  const [old, now] = [before.split('\n'), after.split('\n')];
  if (!before.endsWith('%}') || old.length !== now.length) return body;
  let text = body;
  for (const [index, line] of old.entries()) {
    const range = line === now[index] ? undefined : findText(text, line);
    if (range !== undefined) text = replaced(text, range, now[index] ?? '');
  }
  return text;
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

function withoutPart(body: string, part: string): string {
  const range = findText(body, part);
  if (range === undefined) return body;
  const [above, below] = [body.slice(0, range.start).trimEnd(), body.slice(range.end).trimStart()];
  if (above === '' || below === '') return above === '' ? below : `${above}\n`;
  return `${above}\n\n${below}`;
}

/** After the part above it, else at the end. */
function withPart(body: string, part: string, above: string | undefined): string {
  const range = above === undefined ? undefined : findPart(body, above);
  if (range !== undefined) return `${body.slice(0, range.end)}\n\n${part}${body.slice(range.end)}`;
  return body.trim() === '' ? `${part}\n` : `${body.trimEnd()}\n\n${part}\n`;
}
