/**
 * All text of users goes into string literals, never into markup: so nothing in it can be code, whatever it looks like.
 * This file is the only one that turns text into source.
 */

const LONE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;
// oxlint-disable-next-line no-control-regex -- what is taken out
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

const clean = (text: string): string =>
  text
    .replace(LONE, '\ufffd')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(CONTROL, '');

/** A string of Typst. */
export const literal = (text: string): string =>
  `"${clean(text).replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;

const LONG = /[^\s\u200b]{25,}/g;
const PUNCTUATION = /[/.?&=_:,;|+#@%~-](?=[^\s/.?&=_:,;|+#@%~-])/g;
/** Scripts that break between any two letters need no help. */
const IDEOGRAPHIC = /[\u3000-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]/;
const RUN = 20;

/** Allows line breaks inside long words: addresses, paths, keys. After punctuation, else anywhere. */
export const breakable = (text: string): string =>
  text.replace(LONG, (word) => {
    if (IDEOGRAPHIC.test(word)) return word;
    return word
      .replace(PUNCTUATION, '$&\u200b')
      .split('\u200b')
      .map((part) => (part.length > RUN + 5 ? inRuns(part) : part))
      .join('\u200b');
  });

function inRuns(part: string): string {
  const points = Array.from(part);
  const runs: string[] = [];
  for (let at = 0; at < points.length; at += RUN) runs.push(points.slice(at, at + RUN).join(''));
  return runs.join('\u200b');
}

/** Text as content: `#"…"`, with line breaks. Content blocks consist of this and calls only. */
export function words(text: string): string {
  if (text === '') return '';
  return breakable(clean(text))
    .split('\n')
    .map((line) => (line === '' ? '' : `#${literal(line)}`))
    .join('#linebreak()');
}

/** A title short enough for the running head, which shows two side by side. */
export function short(title: string): string {
  const letters = Array.from(oneLine(title));
  return letters.length <= 50 ? letters.join('') : `${letters.slice(0, 49).join('').trimEnd()}…`;
}

export const oneLine = (title: string): string => title.replace(/\s+/g, ' ').trim();
