const MAX_LENGTH = 4000;
const LOW_SURROGATE = /[\udc00-\udfff]/;
/** Low surrogates, marks, and the vowels and finals of Hangul: they belong to the character before them. */
const CONTINUES_CHARACTER = /[\udc00-\udfff]|\p{M}|[\u1160-\u11ff]/u;

/** Splits a text into passages short enough to search for an excerpt; between words if there are spaces. */
export function passagesOf(text: string): string[] {
  const passages: string[] = [];
  let start = 0;
  while (text.length - start > MAX_LENGTH) {
    const passage = text.slice(start, start + MAX_LENGTH + 1);
    const space = passage.lastIndexOf(' ');
    let length = space > MAX_LENGTH / 2 ? space : MAX_LENGTH;
    while (length > MAX_LENGTH / 2 && CONTINUES_CHARACTER.test(passage[length] ?? '')) length--;
    if (LOW_SURROGATE.test(passage[length] ?? '')) length--;
    passages.push(passage.slice(0, length));
    start += length;
  }
  return [...passages, text.slice(start)];
}
