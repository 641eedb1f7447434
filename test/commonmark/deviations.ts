/** Reasons for which we render an example of CommonMark otherwise, and the numbers of these examples. */
const BY_REASON: readonly (readonly [reason: string, examples: readonly number[]])[] = [
  [
    'HTML of authors is not passed on. Elements that the flavour has become nodes, and others are shown as they are written.',
    [
      21, 31, 150, 156, 157, 158, 163, 164, 167, 170, 171, 172, 173, 176, 178, 180, 181, 182, 187, 201, 344, 476, 477, 491, 494, 524,
      536, 613, 614, 615, 616, 617, 623, 627, 628, 629, 630, 631, 642, 643,
    ], // prettier-ignore
  ],
  [
    'An HTML table is one block up to its end tag, also over blank lines: exports of the flavour have them.',
    [148, 191],
  ],
  ['Text in inline elements of HTML is Markdown, also at the beginning of a line.', [162, 166]],
  ['The rest of the line on which a comment ends belongs to the comment.', [177]],
  [
    'Lines of code are ranges of the source: of a tab that is partly indentation, the rest is not shown.',
    [5, 6, 7],
  ],
  ['A line feed in the text of a document is a line break, also if it is written as an entity.', [39]],
  ['Links lead to http, https, mailto and tel only. Other addresses are text.', [596, 598, 599, 601]],
  ['Bare addresses are links, as in GFM.', [606, 608, 611, 612]],
  ['Exports of the flavour end paragraphs with a backslash, which is not shown (decision 27).', [644]],
];

/** The reason of each deviation, by the number of its example. */
export const DEVIATIONS: ReadonlyMap<number, string> = new Map(
  BY_REASON.flatMap(([reason, examples]) => examples.map((number) => [number, reason] as const)),
);
