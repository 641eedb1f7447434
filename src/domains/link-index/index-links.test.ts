import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { startApp, type TestApp } from '../../../test/app.ts';
import { contentsOf, idsOf, insert, type Contents } from '../../../test/content.ts';
import { aSide } from '../../../test/world.ts';
import { rebuildSpace } from '../revisions/rebuild-links.ts';

let app: TestApp;
let contents: Contents;

beforeAll(async () => {
  app = await startApp();
  contents = contentsOf(app, await aSide(app, 'index'));
});

const idOf = (space: string) => space.split('/').at(-1) ?? '';

/** All rows about the links of a space. */
async function rowsOf(space: string): Promise<unknown[]> {
  const id = [idOf(space)];
  return Promise.all([
    app.sql(
      `select source_id, ordinal, target, href, entry_kind, entry_id, wanted, loose from links where space_id = $1
      order by source_id, ordinal`,
      id,
    ),
    app.sql(
      `select key, relation, kind, target_space_id, target_id, anchor, url, address, broken, sources
      from link_targets where space_id = $1 order by key`,
      id,
    ),
    app.sql('select entry_id, kind, anchors from link_entries where space_id = $1 order by entry_id', id),
    app.sql('select targets, broken from link_indexes where space_id = $1', id),
    app.sql(
      `select count(*)::int as targets, count(*) filter (where broken)::int as broken from link_targets where space_id = $1`,
      id,
    ),
  ]);
}

async function expectAsRebuilt(space: string): Promise<void> {
  const written = await rowsOf(space);
  const [, , , counts, counted] = written;
  expect(counts).toEqual(counted);
  const { connection } = app.app.installation;
  await rebuildSpace({ ...app.app.context, db: connection.db }, idOf(space));
  expect(written).toEqual(await rowsOf(space));
}

const SLUGS = ['a', 'b', 'c'];
const slug = fc.constantFrom(...SLUGS);
const pathSpelled = fc.oneof(
  fc.tuple(slug, slug).map(([one, two]) => `/pages/${one}/${two}`),
  slug.map((one) => `/pages/${one}`),
  slug.map((one) => `${one}.md`),
  fc.tuple(slug, slug).map(([one, two]) => `../${one}/${two}.md`),
  fc.constantFrom('/', './', '..', '#own', 'https://example.org/', '/pages/README.md'),
);
const href = fc
  .tuple(pathSpelled, fc.constantFrom('', '#one', '#two'))
  .map(([path, anchor]) => (path.startsWith('#') ? path : path + anchor));
const body = fc
  .tuple(fc.array(href, { maxLength: 4 }), fc.constantFrom('', '## One\n\n', '## Two\n\n'))
  .map(([hrefs, heading]) => heading + hrefs.map((each) => `[x](${each})`).join(' '));

type Step =
  | { readonly kind: 'insert'; readonly slug: string; readonly body: string; readonly into: number }
  | { readonly kind: 'write'; readonly page: number; readonly body: string }
  | { readonly kind: 'rename'; readonly page: number; readonly slug: string }
  | { readonly kind: 'move'; readonly page: number; readonly into: number; readonly at: number }
  | { readonly kind: 'delete'; readonly page: number }
  | { readonly kind: 'restore'; readonly revision: number };

const place = fc.nat(7);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('insert' as const), slug, body, into: place }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('write' as const), page: place, body }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rename' as const), page: place, slug }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('move' as const), page: place, into: place, at: fc.nat(2) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), page: place }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restore' as const), revision: place }) },
);

test('rows after each publication equal those of an index from scratch', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async (steps) => {
      const space = await contents.aSpace();
      const pages: string[] = [];
      const revisions: string[] = [];
      const at = (index: number) => pages[index % Math.max(1, pages.length)];
      for (const each of steps) {
        const change = changeOf(each, at);
        const answer =
          each.kind === 'restore'
            ? await contents.call(
                'POST',
                `${space}/revisions/${revisions[each.revision % Math.max(1, revisions.length)]}/restore`,
              )
            : change && (await contents.send(space, [change]));
        if (answer?.status !== 200) continue;
        revisions.push(answer.body.revision);
        if (each.kind === 'insert') pages.push(...idsOf(answer.body));
        await expectAsRebuilt(space);
      }
    }),
    { numRuns: Number(process.env['LINK_RUNS'] ?? 25) },
  );
});

function changeOf(step: Step, at: (index: number) => string | undefined): object | undefined {
  switch (step.kind) {
    case 'insert': {
      const into = step.into > 4 ? at(step.into) : undefined;
      return insert(step.slug.toUpperCase(), step.body, { slug: step.slug, ...(into ? { into } : {}) });
    }
    case 'write':
      return { operation: 'update_page', page: at(step.page), document: { markdown: step.body } };
    case 'rename':
      return { operation: 'update_page', page: at(step.page), slug: step.slug };
    case 'move':
      return {
        operation: 'move_page',
        page: at(step.page),
        into: step.into > 3 ? at(step.into) : null,
        at: step.at,
      };
    case 'delete':
      return { operation: 'delete_page', page: at(step.page) };
    case 'restore':
      return undefined;
  }
}
