/** HTML entities. Named ones need their semicolon: `&copy=1` in an address is no copyright sign. */

const NAMED: Readonly<Record<string, string>> = {
  amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0', copy: '©', reg: '®', trade: '™', hellip: '…',
  mdash: '—', ndash: '–', lsquo: '‘', rsquo: '’', ldquo: '“', rdquo: '”', laquo: '«', raquo: '»', bull: '•',
  middot: '·', times: '×', divide: '÷', plusmn: '±', deg: '°', micro: 'µ', para: '¶', sect: '§', euro: '€',
  pound: '£', yen: '¥', cent: '¢', larr: '←', rarr: '→', uarr: '↑', darr: '↓', harr: '↔', infin: '∞', ne: '≠',
  le: '≤', ge: '≥', asymp: '≈', check: '✓', cross: '✗', star: '☆', starf: '★', hearts: '♥', ensp: '\u2002',
  emsp: '\u2003', thinsp: '\u2009', zwj: '\u200d', zwnj: '\u200c', shy: '\u00ad', lbrace: '{', rbrace: '}',
  lbrack: '[', rbrack: ']', ast: '*', num: '#', lowbar: '_', grave: '`', vert: '|', bsol: '\\', Tab: '\t',
  NewLine: '\n', excl: '!', percnt: '%', dollar: '$', lpar: '(', rpar: ')', colon: ':', semi: ';', quest: '?',
  commat: '@', iexcl: '¡', iquest: '¿', szlig: 'ß', auml: 'ä', ouml: 'ö', uuml: 'ü', Auml: 'Ä', Ouml: 'Ö', Uuml: 'Ü',
  eacute: 'é', egrave: 'è', agrave: 'à', ccedil: 'ç', ntilde: 'ñ', aring: 'å', oslash: 'ø', aelig: 'æ',
}; // prettier-ignore

const LONGEST = 12;
const ENTITY = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{1,10}));/y;

/** The entity that begins at `at`, or undefined: its text and where it ends. */
export function entityAt(text: string, at: number): { text: string; end: number } | undefined {
  ENTITY.lastIndex = at;
  const match = ENTITY.exec(text);
  if (!match) return undefined;
  const decoded = match[3] === undefined ? fromCode(match[1], match[2]) : NAMED[match[3]];
  return decoded === undefined ? undefined : { text: decoded, end: at + match[0].length };
}

function fromCode(decimal: string | undefined, hex: string | undefined): string {
  const code = decimal === undefined ? Number.parseInt(hex ?? '0', 16) : Number.parseInt(decimal, 10);
  return code === 0 || code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
}

export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&[#A-Za-z0-9]{1,12};/g, (entity) =>
    entity.length > LONGEST + 2 ? entity : (entityAt(entity, 0)?.text ?? entity),
  );
}
