import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../src/domains/index.ts';
import { insertMember } from '../src/domains/members/index.ts';
import { startApp, type TestApp } from './app.ts';
import { formsWithIds, sampleOf, type Sample } from './sample.ts';
import { aMember, aWorld, type Person, type World } from './world.ts';

/**
 * A request with two ids of which only one is authorised is the most common access bug. Here every id of every request
 * is replaced by its counterpart in another organization, alone and together with others.
 */

let app: TestApp;
let world: World;
/** From a caller without access to the other organization to one who may do everything in both. */
let callers: readonly (readonly [name: string, person: Person, refusals: readonly number[]])[];
let statement: string;
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
  statement = await digestStatement();
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

const properSubsets = <T>(of: readonly T[]): T[][] =>
  Array.from({ length: 2 ** of.length - 2 }, (_, index) =>
    of.filter((_item, bit) => ((index + 1) >> bit) & 1),
  );

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

const WRITTEN_LATER = ['site_page_views', 'site_searches', 'site_feedback'];

/**
 * A statement for the content of all tables, without what is written later: the time a user was last seen, and counts of
 * readers. It is taken hundreds of times: rows are hashed and added up, because sorting takes longer than all requests.
 */
async function digestStatement(): Promise<string> {
  const columns = await app.sql(
    `
    select c.table_name, string_agg(quote_ident(c.column_name), ', ' order by c.ordinal_position) as columns
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
      and c.column_name not in ('last_used_at', 'last_seen_at') and not c.table_name = any($1)
    group by c.table_name order by c.table_name`,
    [WRITTEN_LATER],
  );
  const parts = columns.map(
    ({ table_name: table, columns: names }) =>
      `select '${table}' as name, count(*) || ' ' || sum(hashtextextended(r::text, 0)) as hash
       from (select ${names} from ${table}) r`,
  );
  return parts.join(' union all ');
}

async function digest(): Promise<Record<string, unknown>> {
  const rows = await app.sql(statement);
  return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]));
}

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
    const foreignSample = await sampleOf(app, operation, b, b.admin, { form, everyId: true });
    const before = await digest();
    for (const chosen of properSubsets(swappable(sample))) {
      const mixed = swapped(sample, foreignSample, chosen);
      swaps += callers.length;
      // Concurrently: none of them may have an effect.
      const answers = await Promise.all(callers.map(([, person]) => send(mixed, person)));
      for (const [n, [name, , refusals]] of callers.entries()) {
        const description = `${name}, swapped ${chosen.map(({ place, path }) => `${place} ${path}`).join(', ')}`;
        expect(refusals, `${description}: ${answers[n]?.text}`).toContain(answers[n]?.status);
      }
    }
    expect(await digest()).toEqual(before);

    // The requests above were refused because of their ids: the same request with ids of one organization succeeds.
    if (swappable(sample).length > 1) {
      const answer = await send(
        sample,
        sample.token === a.admin.token ? a.admin : { ...a.admin, token: sample.token },
      );
      expect([401, 403, 404], answer.text).not.toContain(answer.status);
    }
  });
});

const targeted = operations.filter(
  ({ method, access, params }) => method === 'GET' && access.kind === 'target' && params,
);

test.each(targeted.map((operation) => [operation.id, operation] as const))(
  '%s shows a member of both organizations only the requested one',
  async (_id, operation) => {
    const [, , [, both] = []] = callers;
    if (!both) throw new Error('nobody is in both');
    for (const [side, other] of [
      [world.a, world.b],
      [world.b, world.a],
    ] as const) {
      const { bareUrl } = await sampleOf(app, operation, side, both);
      const { status, text } = await app.call('GET', bareUrl, { token: both.token });
      expect(status, text).toBe(operation.status);
      expect(text).not.toContain(`marker-${other.name}`);
    }
  },
);

test('operations with several ids are found', () => {
  expect(cases.length).toBeGreaterThan(25);
});
