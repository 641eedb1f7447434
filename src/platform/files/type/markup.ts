/** Elements that begin an HTML document or active content. */
const DOCUMENT = /^(html|head|body|script|iframe|style|title|frameset|base|object|embed|meta|link)$/;
/** Elements that may also begin a text with embedded HTML, such as Markdown. */
const FRAGMENT =
  /^(a|abbr|article|aside|audio|b|blockquote|br|button|center|code|details|div|em|figure|font|footer|form|h[1-6]|header|hr|i|img|input|kbd|li|main|math|nav|ol|p|picture|pre|section|span|strong|summary|sub|sup|svg|table|tbody|td|template|textarea|tr|u|ul|video)$/;

export type Markup = 'svg' | 'html' | 'html-fragment' | 'xml';

/** The markup language of a text, by its first element; undefined if it is no markup. */
export function markupOf(text: string): Markup | undefined {
  const isXml = /^\uFEFF?<\?xml[\s?]/i.test(text.trimStart());
  const root = findRoot(text);
  const name = root?.name.toLowerCase().replace(/^.*:/, '') ?? '';
  if (name === 'svg') return 'svg';
  if (root?.doctype === 'html' || (!isXml && DOCUMENT.test(name))) return 'html';
  if (isXml) return 'xml';
  if (FRAGMENT.test(name) || /^\s*<!--/.test(text)) return 'html-fragment';
  return root?.doctype ? 'xml' : undefined;
}

interface Root {
  readonly name: string;
  readonly doctype: string | undefined;
  /** Offset of its tag. */
  readonly start: number;
}

/** The first element after declarations and comments. Reads every character once. */
export function findRoot(text: string): Root | undefined {
  let at = 0;
  let doctype: string | undefined;
  for (;;) {
    at = skipSpace(text, at);
    const rest = text.slice(at, at + 80);
    let end: number;
    if (rest.startsWith('<?')) end = after(text, '?>', at);
    else if (rest.startsWith('<!--')) end = after(text, '-->', at);
    else if (doctype === undefined && /^<!doctype\b/i.test(rest)) {
      doctype = /^<!doctype\s+([\w:.-]+)/i.exec(rest)?.[1]?.toLowerCase() ?? '';
      end = afterDoctype(text, at);
    } else {
      const name = /^<([a-z][\w:.-]*)(?=[\s/>]|$)/i.exec(rest)?.[1];
      return name === undefined && doctype === undefined
        ? undefined
        : { name: name ?? '', doctype, start: at };
    }
    if (end === -1) return doctype === undefined ? undefined : { name: '', doctype, start: text.length };
    at = end;
  }
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && /[\s\uFEFF\0]/.test(text[at] ?? '')) at++;
  return at;
}

function after(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found === -1 ? -1 : found + mark.length;
}

/** A DOCTYPE may contain an internal subset in brackets. */
function afterDoctype(text: string, from: number): number {
  const close = text.indexOf('>', from);
  const open = text.indexOf('[', from);
  if (open === -1 || close < open) return close === -1 ? -1 : close + 1;
  const subset = text.indexOf(']', open);
  return subset === -1 ? -1 : after(text, '>', subset);
}
