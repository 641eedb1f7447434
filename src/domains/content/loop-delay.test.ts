import { beforeAll, describe, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { contentsOf, type Contents } from '../../../test/content.ts';
import { turnRatio } from '../../../test/longest-turn.ts';
import { aSide, type Side } from '../../../test/world.ts';
import { analyseBody } from '../../content-engine/markdown/index.ts';

let app: TestApp;
let side: Side;
let contents: Contents;

beforeAll(async () => {
  app = await startApp();
  side = await aSide(app, 'alpha');
  contents = contentsOf(app, side);
});

const SIZE = 1_900_000;
/** Escaping by regular expression took 25 times as long, parsing all JSON at once 20 times. */
const GENEROUS = 6;

/** Inserts pages into a new space. The JSON is made beforehand, because making it takes time as well. */
function insertion(bodies: readonly object[], status = 200): () => Promise<void> {
  const changes = bodies.map((document) => ({ operation: 'insert_page', title: 'Large', document }));
  const raw = JSON.stringify({ changes });
  return async () => {
    const path = `${await contents.aSpace()}/content`;
    const answer = await app.call('POST', path, { token: side.admin.token, raw });
    expect(answer.status).toBe(status);
  };
}

const paragraph = (text: string) => ({
  object: 'block',
  type: 'paragraph',
  data: {},
  nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }],
});
const document = {
  object: 'document',
  data: {},
  nodes: Array.from({ length: 48_000 }, (_each, index) => paragraph(`Word ${index}`)),
};

/** Small enough to be parsed by the event loop. */
const mediumPage = { markdown: 'a\n\n'.repeat(13_000) };

describe('a large batch delays other requests not much longer than 1.9 MB of plain words', () => {
  const words = insertion([{ markdown: 'word '.repeat(SIZE / 5) }]);
  // The first insert starts the thread.
  beforeAll(words, 120_000);

  test.each([
    ['quotes', [{ markdown: '"'.repeat(SIZE) }]],
    ['backslashes', [{ markdown: `~~~\n${'\\'.repeat(SIZE)}\n~~~\n` }]],
    ['control characters', [{ markdown: '\u0001'.repeat(SIZE) }]],
    ['Chinese', [{ markdown: '語'.repeat(SIZE / 3) }]],
    ['a heading', [{ markdown: `## ${'word '.repeat(SIZE / 5)}` }]],
    [
      'an anchor',
      [{ markdown: `## a <a href="#a" id="${'a'.repeat(SIZE / 2)}"></a>\n\n${'word '.repeat(SIZE / 10)}` }],
    ],
    ['a document of 96,000 nodes', [{ document }]],
    ['25 pages of 13,000 paragraphs', Array.from({ length: 25 }, () => mediumPage)],
  ])('%s', { timeout: 120_000 }, async (_name, bodies) => {
    expect(await turnRatio(insertion(bodies), words, GENEROUS)).toBeLessThan(GENEROUS);
  });
});

describe('a page delays other requests less than half as long as it takes to be parsed', () => {
  test.each([
    ['accepted', 200, '# *a* b\n'.repeat(20_000)],
    ['rejected', 413, '-|-\n'.repeat(500_000)],
  ])('%s', async (_name, status, markdown) => {
    const parse = async () => analyseBody(markdown);
    const parseHere = () => parse().catch(() => undefined);
    // The first parse takes longer, because its code is not compiled yet.
    await parseHere();
    expect(await turnRatio(insertion([{ markdown }], status), parseHere, 0.5)).toBeLessThan(0.5);
  });
});
