import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import type { Hash } from '../../content-engine/map/index.ts';
import { startApp, type TestApp } from '../../../test/app.ts';
import { contentsOf, idsOf, type Contents } from '../../../test/content.ts';
import { aSpaceForSteps, changeOf, editStep } from '../../../test/link-steps.ts';
import { aSide } from '../../../test/world.ts';
import { analyseBody } from '../../content-engine/markdown/index.ts';
import { buildTree } from '../../content-engine/tree/index.ts';
import { findWithBody, linkTableIn, readText } from '../content-store/index.ts';
import { lockToPublish } from '../revisions/index.ts';
import { indexLinks, type BodyFacts } from './index.ts';

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

/** Indexes a space as if all its content was new. */
async function rebuild(space: string): Promise<void> {
  await app.sql('delete from link_indexes where space_id = $1', [idOf(space)]);
  const { context, installation } = app.app;
  await installation.connection.db.transaction().execute(async (db) => {
    const ctx = { ...context, db, isFront: false };
    const { base, load } = await lockToPublish(ctx, idOf(space));
    const facts = new Map<Hash, BodyFacts>();
    for (const { id } of base.tree.records.values()) {
      const record = findWithBody(base.tree, id);
      if (record) facts.set(record.document, analyseBody(await readText(load, record.document)));
    }
    await indexLinks(ctx, idOf(space), {
      before: buildTree([]),
      after: base.tree,
      changed: new Map(base.tree.records),
      facts,
      tableOf: (record) => linkTableIn(load, record),
    });
  });
}

async function expectAsRebuilt(space: string): Promise<void> {
  const written = await rowsOf(space);
  const [, , , counts, counted] = written;
  expect(counts).toEqual(counted);
  await rebuild(space);
  expect(written).toEqual(await rowsOf(space));
}

const step = fc.oneof(
  { weight: 10, arbitrary: editStep },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('restore' as const), revision: fc.nat(7) }) },
);

test('rows after each publication equal those of an index from scratch', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async (steps) => {
      const { space, content } = await aSpaceForSteps(contents);
      const pages: string[] = [];
      const revisions: string[] = [];
      for (const each of steps) {
        const answer =
          each.kind === 'restore'
            ? await contents.call(
                'POST',
                `${space}/revisions/${revisions[each.revision % Math.max(1, revisions.length)]}/restore`,
              )
            : await contents.send(space, [changeOf(each, pages, content)]);
        if (answer.status !== 200) continue;
        revisions.push(answer.body.revision);
        if (each.kind === 'insert') pages.push(...idsOf(answer.body));
        await expectAsRebuilt(space);
      }
    }),
    {
      numRuns: Number(process.env['LINK_RUNS'] ?? 25),
      // A link that follows its target kept the name of an earlier path.
      examples: [
        [
          [
            { kind: 'insert', slug: 'a', body: '', into: 0 },
            { kind: 'insert', slug: 'a', body: '[x](./)', into: 5 },
            { kind: 'rename', page: 0, slug: 'a' },
            { kind: 'move', page: 0, into: 0, at: 0 },
            { kind: 'rename', page: 0, slug: 'b' },
          ],
        ],
      ],
    },
  );
});
