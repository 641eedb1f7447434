const LONGEST = 4000;

/** A text in pieces short enough to be read for an excerpt of each; between words where there are spaces. */
export function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  while (text.length - start > LONGEST) {
    const space = text.lastIndexOf(' ', start + LONGEST);
    let end = space > start + LONGEST / 2 ? space : start + LONGEST;
    if (/[\udc00-\udfff]/.test(text[end] ?? '')) end--;
    pieces.push(text.slice(start, end));
    start = end;
  }
  return [...pieces, text.slice(start)];
}
