import { IS_EXHAUSTIVE, partOf } from './exhaustive.ts';
import payloads from './xss-payloads.json' with { type: 'json' };

/** One of each kind of HTML and of URLs. */
const KINDS = new Set([
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '" onload="alert(1)',
  "' onload='alert(1)' x='",
  'x onload=alert(1)//',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'><img src=x onerror=alert(1)>",
  '--><img src=x onerror=alert(1)>',
  '</title><img src=x onerror=alert(1)>',
  '</textarea><img src=x onerror=alert(1)>',
  '</style><img src=x onerror=alert(1)>',
  '&#34;><img src=x onerror=alert(1)>',
  '%22%3E<img src=x onerror=alert(1)>',
  'javascript:alert(1)',
  '\tjavascript:alert(1)',
  'java\nscript:alert(1)',
  'javascript&colon;alert(1)',
  'javascript%3Aalert(1)',
  'vbscript:msgbox(1)',
  '//javascript:alert(1)',
  '<iframe src=//evil.example></iframe>',
  '&lt;img src=x onerror=alert(1)&gt;',
]);
/** Those after it attack one syntax each: of Markdown, formulas, icons, colours, anchors. */
const FIRST_OF_ONE_SYNTAX = '{{constructor.constructor("alert(1)")()}}';

const always = payloads.filter(
  (payload, n) => KINDS.has(payload) || n >= payloads.indexOf(FIRST_OF_ONE_SYNTAX),
);
const others = payloads.filter((payload) => !always.includes(payload));

/** The hostile texts to try at one of several places. Eight consecutive places try all of them. */
export const payloadsAt = (place: number): readonly string[] =>
  IS_EXHAUSTIVE ? payloads : [...always, ...partOf(others, 8, place)];

/** The same for places that are no Markdown, such as titles: of those that attack one syntax, a part suffices, too. */
export const payloadsInNames = (place: number): readonly string[] =>
  IS_EXHAUSTIVE
    ? payloads
    : [
        ...KINDS,
        ...partOf(
          payloads.filter((payload) => !KINDS.has(payload)),
          8,
          place,
        ),
      ];

export { payloads, KINDS };
