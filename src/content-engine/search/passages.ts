const LONGEST = 4000;
const SECOND_HALF = /[\udc00-\udfff]/;
/** The second half of a character, marks, and the vowels and finals of Hangul: what composes with what is before it. */
const BELONGS_TO_LAST = /[\udc00-\udfff]|\p{M}|[\u1160-\u11ff]/u;

/** A text in pieces short enough to be read for an excerpt of each; between words where there are spaces. */
export function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  while (text.length - start > LONGEST) {
    const piece = text.slice(start, start + LONGEST + 1);
    const space = piece.lastIndexOf(' ');
    let length = space > LONGEST / 2 ? space : LONGEST;
    while (length > LONGEST / 2 && BELONGS_TO_LAST.test(piece[length] ?? '')) length--;
    if (SECOND_HALF.test(piece[length] ?? '')) length--;
    pieces.push(piece.slice(0, length));
    start += length;
  }
  return [...pieces, text.slice(start)];
}
