import { withLineFeeds } from './chars.ts';

/** HTML entities. Named ones need their semicolon: `&copy=1` in an address is no copyright sign. */

/** Latin-1 from U+00A0 on, and Greek from U+0391 and U+03B1 on, in the order of their code points. */
const LATIN =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro ' +
  'para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil ' +
  'Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave ' +
  'Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml ' +
  'igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute ' +
  'thorn yuml';
const GREEK =
  'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon ' +
  'phi chi psi omega';

const OTHERS: Readonly<Record<string, string>> = {
  amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", trade: '™', hellip: '…', mdash: '—', ndash: '–', lsquo: '‘',
  rsquo: '’', ldquo: '“', rdquo: '”', sbquo: '‚', bdquo: '„', lsaquo: '‹', rsaquo: '›', bull: '•', prime: '′',
  Prime: '″', euro: '€', larr: '←', rarr: '→', uarr: '↑', darr: '↓', harr: '↔', lArr: '⇐', rArr: '⇒', hArr: '⇔',
  infin: '∞', ne: '≠', le: '≤', ge: '≥', asymp: '≈', equiv: '≡', forall: '∀', exist: '∃', empty: '∅', isin: '∈',
  notin: '∉', sum: '∑', prod: '∏', minus: '−', radic: '√', prop: '∝', int: '∫', cap: '∩', cup: '∪', sub: '⊂',
  sup: '⊃', check: '✓', cross: '✗', star: '☆', starf: '★', spades: '♠', clubs: '♣', hearts: '♥', diams: '♦',
  loz: '◊', dagger: '†', Dagger: '‡', permil: '‰', OElig: 'Œ', oelig: 'œ', Scaron: 'Š', scaron: 'š', Yuml: 'Ÿ',
  fnof: 'ƒ', circ: 'ˆ', tilde: '˜', ensp: '\u2002', emsp: '\u2003', thinsp: '\u2009', zwj: '\u200d',
  zwnj: '\u200c', lrm: '\u200e', rlm: '\u200f', lbrace: '{', rbrace: '}', lbrack: '[', rbrack: ']', ast: '*',
  num: '#', lowbar: '_', grave: '`', vert: '|', bsol: '\\', sol: '/', Tab: '\t', NewLine: '\n', excl: '!',
  percnt: '%', dollar: '$', lpar: '(', rpar: ')', plus: '+', comma: ',', period: '.', colon: ':', semi: ';',
  equals: '=', quest: '?', commat: '@', Hat: '^',
}; // prettier-ignore

function namedEntities(): ReadonlyMap<string, string> {
  const map = new Map(Object.entries(OTHERS));
  LATIN.split(' ').forEach((name, index) => map.set(name, String.fromCharCode(0xa0 + index)));
  GREEK.split(' ').forEach((name, index) => {
    map.set(name, String.fromCharCode(0x3b1 + index));
    if (name !== 'sigmaf')
      map.set(`${name[0]?.toUpperCase()}${name.slice(1)}`, String.fromCharCode(0x391 + index));
  });
  return map;
}

const NAMED = namedEntities();

const LONGEST = 12;
const ENTITY = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z][A-Za-z0-9]{1,10}));/y;

/** The entity that begins at `at`, or undefined: its text and where it ends. */
export function entityAt(text: string, at: number): { text: string; end: number } | undefined {
  ENTITY.lastIndex = at;
  const match = ENTITY.exec(text);
  if (!match) return undefined;
  const decoded = match[3] === undefined ? fromCode(match[1], match[2]) : NAMED.get(match[3]);
  return decoded === undefined ? undefined : { text: decoded, end: at + match[0].length };
}

function fromCode(decimal: string | undefined, hex: string | undefined): string {
  const code = decimal === undefined ? Number.parseInt(hex ?? '0', 16) : Number.parseInt(decimal, 10);
  const isNone = code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff);
  return isNone ? '\ufffd' : String.fromCodePoint(code);
}

/** Text of the source as it is meant. Its line ends are line feeds, whatever those of the page are. */
export function decodeEntities(source: string): string {
  const text = withLineFeeds(source);
  if (!text.includes('&')) return text;
  return text.replace(/&[#A-Za-z0-9]{1,12};/g, (entity) =>
    entity.length > LONGEST + 2 ? entity : (entityAt(entity, 0)?.text ?? entity),
  );
}
