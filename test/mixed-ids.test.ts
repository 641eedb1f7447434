import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../src/domains/index.ts';
import { insertMember } from '../src/domains/members/index.ts';
import { startApp, type TestApp } from './app.ts';
import { IS_EXHAUSTIVE, partOf } from './exhaustive.ts';
import { formsWithIds, sampleOf, type Sample } from './sample.ts';
import { aMember, aWorld, type Person, type World } from './world.ts';

/**
 * A request with two ids of which only one is authorised is the most common access bug. Here every id of every request
 * is replaced by its counterpart in another organization, alone; exhaustively, also together with all others but one.
 */

let app: TestApp;
let world: World;
/** From a caller without access to the other organization to one who may do everything in both. */
let callers: readonly (readonly [name: string, person: Person, refusals: readonly number[]])[];
let swaps = 0;

beforeAll(async () => {
  app = await startApp();
  world = await aWorld(app);
  const { a, b } = world;
  const { db } = app.app.installation.connection;
  const both = await aMember(app, a.organizationId, 'admin', 'both');
  await insertMember(db, { organizationId: b.organizationId, userId: both.id, role: 'admin' });
  const reader = await aMember(app, a.organizationId, 'admin', 'reader');
  await insertMember(db, { organizationId: b.organizationId, userId: reader.id, role: 'read' });
  await noteWrites();
  callers = [
    ['admin of one', a.admin, [404]],
    ['admin of one, reader of the other', reader, [403, 404]],
    ['admin of both', both, [404]],
  ];
});

afterAll(() => console.log(`mixed ids: ${swaps} requests with ids of two organizations`));

/** Ids that belong to another organization by design (`crossTenant`: the target of a transfer) are not replaced. */
const swappable = (sample: Sample): Swappable[] => [
  ...sample.ids.filter((id) => !id.reference.crossTenant),
  ...sample.entries,
];
type Swappable = Sample['entries'][number];

/** Each id alone: a check that is missing shows with one of them. Exhaustively, also all but each. */
function swapsOf<T>(of: readonly T[]): T[][] {
  const singles = of.map((one) => [one]);
  return IS_EXHAUSTIVE && of.length > 2
    ? [...singles, ...of.map((one) => of.filter((other) => other !== one))]
    : singles;
}

function swapped(sample: Sample, foreignSample: Sample, chosen: readonly Swappable[]): Sample {
  let { url } = sample;
  let body = JSON.stringify(sample.body);
  for (const { place, path, id } of chosen) {
    const other = [...foreignSample.ids, ...foreignSample.entries].find(
      (each) => each.place === place && each.path === path,
    )?.id;
    if (!other) throw new Error(`the samples differ at ${place} ${path}`);
    if (place === 'body') body = body.replace(`"${id}"`, `"${other}"`);
    else url = url.replace(encodeURIComponent(id), encodeURIComponent(other));
  }
  return { ...sample, url, body: body === undefined ? undefined : JSON.parse(body) };
}

const send = ({ method, url, body }: Sample, { token }: Person) =>
  app.call(method, url, { token, ...(body === undefined ? {} : { body }) });

/** Written later than the request: counts of readers, and the time a user was last seen. */
const LATER_TABLES = ['site_page_views', 'site_searches', 'site_feedback'];
const LATER_COLUMNS = ['last_used_at', 'last_seen_at'];

/** Notes each row that is written and committed: much cheaper than a digest of all tables before and after. */
async function noteWrites(): Promise<void> {
  await app.sql('create table written_rows (name text)');
  await app.sql(
    `create function note_row() returns trigger language plpgsql as
     $$ begin insert into written_rows values (tg_table_name || ': ' || tg_op); return null; end $$`,
  );
  const tables = await app.sql(
    `select tablename as name from pg_tables
     where schemaname = 'public' and not tablename = any($1) and tablename <> 'written_rows'`,
    [LATER_TABLES],
  );
  const without = LATER_COLUMNS.map((column) => ` - '${column}'`).join('');
  for (const { name } of tables)
    await app.sql(
      `create trigger note_row after insert or delete on ${String(name)} for each row execute function note_row();
       create trigger note_update after update on ${String(name)} for each row
       when (to_jsonb(old)${without} is distinct from to_jsonb(new)${without}) execute function note_row()`,
    );
}

const forgetWrites = () => app.sql('delete from written_rows');
const writes = () => app.sql('select name from written_rows');

const idsOf = (declared: (typeof operations)[number]) =>
  Object.keys(declared.params?.properties ?? {}).length + (declared.body || declared.query ? 1 : 0);

const cases = operations
  .filter((operation) => idsOf(operation) > 1)
  .flatMap((operation) =>
    Array.from({ length: formsWithIds(operation) }, (_, form) => [operation.id, form, operation] as const),
  );

describe.each(cases)('%s, form %i', (_id, form, operation) => {
  test('accepts ids of one organization only', async () => {
    const { a, b } = world;
    const sample = await sampleOf(app, operation, a, a.admin, { form, everyId: true });
    const ids = swappable(sample);
    if (ids.length < 2) return;
    const foreignSample = await sampleOf(app, operation, b, b.admin, { form, everyId: true });
    await forgetWrites();
    for (const chosen of swapsOf(ids)) {
      const mixed = swapped(sample, foreignSample, chosen);
      swaps += callers.length;
      // Concurrently: none of them may have an effect.
      const answers = await Promise.all(callers.map(([, person]) => send(mixed, person)));
      for (const [n, [name, , refusals]] of callers.entries()) {
        const description = `${name}, swapped ${chosen.map(({ place, path }) => `${place} ${path}`).join(', ')}`;
        expect(refusals, `${description}: ${answers[n]?.text}`).toContain(answers[n]?.status);
      }
    }
    expect(await writes()).toEqual([]);

    // The requests above were refused because of their ids: the same request with ids of one organization succeeds.
    const answer = await send(
      sample,
      sample.token === a.admin.token ? a.admin : { ...a.admin, token: sample.token },
    );
    expect([401, 403, 404], answer.text).not.toContain(answer.status);
  });
});

const targeted = operations.filter(
  ({ method, access, params }) => method === 'GET' && access.kind === 'target' && params,
);

test.each(targeted.map((operation, n) => [operation.id, operation, n] as const))(
  '%s shows a member of both organizations only the requested one',
  async (_id, operation, n) => {
    const [, , [, both] = []] = callers;
    if (!both) throw new Error('nobody is in both');
    const sides = [
      [world.a, world.b],
      [world.b, world.a],
    ] as const;
    for (const [side, other] of partOf(sides, 2, n)) {
      const { bareUrl } = await sampleOf(app, operation, side, both);
      const { status, text } = await app.call('GET', bareUrl, { token: both.token });
      expect(status, text).toBe(operation.status);
      expect(text).not.toContain(`marker-${other.name}`);
    }
  },
);

test('what is written is noted', async () => {
  await forgetWrites();
  const { organizationId, admin } = world.a;
  await app.call('PATCH', `/v1/orgs/${organizationId}`, { token: admin.token, body: { title: 'Renamed' } });
  expect(await writes()).toContainEqual({ name: 'organizations: UPDATE' });
});

test('operations with several ids are found', () => {
  expect(cases.length).toBeGreaterThan(25);
});
