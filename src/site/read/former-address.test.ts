import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { idsOf, insert } from '../../../test/content.ts';
import { aPublishedSite, locationOf } from '../../../test/published-site.ts';
import { aSide, type Side } from '../../../test/world.ts';

/** Old addresses of pages, whatever was renamed, moved and deleted since. */

/** A timeout for hangs only. */
const HANG_TIMEOUT = 240_000;

let app: TestApp;
let side: Side;

beforeAll(async () => {
  app = await startApp();
  side = await aSide(app, 'alpha');
});

interface Listed {
  readonly id: string;
  readonly path: string;
  readonly pages?: readonly Listed[];
}

const flat = (pages: readonly Listed[]): Listed[] =>
  pages.flatMap((page) => [page, ...flat(page.pages ?? [])]);

/** Numbers choose among the pages and slugs that there are. */
const step = fc.record({
  kind: fc.constantFrom('insert', 'rename', 'rename', 'move', 'move', 'delete'),
  page: fc.nat(1000),
  into: fc.nat(1000),
  slug: fc.constantFrom('a', 'b', 'c'),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function play(steps: readonly Step[]): Promise<void> {
  const site = await aPublishedSite(app, side, { title: 'Moving' });
  const { space } = await site.addSpace('Manual');
  const [home] = idsOf(await site.contents.edit(space, insert('Home', 'First.', { slug: 'home' })));
  /** The last time of each page at each address. */
  const holders = new Map<string, Map<string, number>>();
  let pages: Listed[] = [];
  for (const [time, { kind, page, into, slug }] of steps.entries()) {
    const chosen = pages[page % Math.max(1, pages.length)];
    // Every other page, or the root.
    const parent = into % 2 === 0 ? undefined : pages[into % Math.max(1, pages.length)];
    const below = parent === undefined ? {} : { into: parent.id };
    const change =
      kind === 'insert' || !chosen
        ? insert('Page', 'Text.', { slug, ...below })
        : kind === 'rename'
          ? { operation: 'update_page', page: chosen.id, slug }
          : kind === 'move'
            ? { operation: 'move_page', page: chosen.id, into: parent?.id ?? null }
            : { operation: 'delete_page', page: chosen.id };
    // Some are refused, such as moving a page below itself, or renaming it to a slug that is taken.
    const sent = await site.contents.send(space, [change]);
    expect(sent.status, sent.text).toBeLessThan(500);
    pages = flat(await site.contents.pages(space)).filter(({ id }) => id !== home);
    for (const { id, path } of pages) {
      const at = holders.get(path) ?? new Map<string, number>();
      holders.set(path, at.set(id, time));
    }
  }
  const pathOf = new Map(pages.map(({ id, path }) => [id, path]));
  const taken = new Set(pathOf.values());
  for (const [path, at] of holders) {
    const answer = await site.read(`/${path}`);
    const [last] = [...at].filter(([id]) => pathOf.has(id)).toSorted(([, a], [, b]) => b - a);
    const found = taken.has(path) ? path : locationOf(answer).replace(`/${site.basename}/`, '');
    const status = taken.has(path) ? 200 : last ? 301 : answer.status;
    const expected = taken.has(path) ? path : last ? pathOf.get(last[0]) : found;
    expect([path, answer.status, found]).toEqual([path, status, expected]);
  }
}

test(
  'an old address leads to the last page that had it and still exists',
  () =>
    // Shrinking takes minutes.
    fc.assert(fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), play), {
      numRuns: 8,
      endOnFailure: true,
    }),
  HANG_TIMEOUT,
);
