import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../src/domains/index.ts';
import { hashOfToken } from '../src/domains/users/store.ts';
import { insertToken } from '../src/domains/users/index.ts';
import type { NamedOperation } from '../src/platform/api/operation.ts';
import { REFERENCE, type Reference } from '../src/platform/api/resource.ts';
import { startApp, type TestApp } from './app.ts';
import { partOf } from './exhaustive.ts';
import { sampleOf, type Sample } from './sample.ts';
import { aWorld, grantOn, type World } from './world.ts';

/**
 * Caches are never stale: after every kind of write, a read returns the same as from a process without a cache;
 * immediately in the process that wrote, within a second in every other.
 */

/** Writes are sent to this process. */
let writer: TestApp;
let other: TestApp;
/** Has no cache, so that its responses are the expected ones. */
let uncached: TestApp;
let world: World;
let baseSamples: ReadonlyMap<NamedOperation, Sample>;
let comparisons = 0;

/**
 * The operations with cached results. PDFs are excluded: they depend on an immutable revision, and take long. So are counts
 * of readers, which are written some seconds after the request.
 */
const reads = operations.filter(
  ({ id, path, method, access }) =>
    method === 'GET' &&
    !id.endsWith('Pdf') &&
    !path.includes('/insights/') &&
    (access.kind !== 'target' || access.resource.cacheTags),
);

/** Rows of a resource are cached: for resources that a write does not concern, one read of each suffices. */
const representatives = [
  ...new Map(
    reads.map((read) => [read.access.kind === 'target' ? read.access.resource : read.access.kind, read]),
  ).values(),
];

/** What no write it concerns may leave out: a read of each cached row, and those whose answers are cached with it. */
const isEssential = (read: NamedOperation): boolean =>
  read.isCacheableByTarget === true || representatives.includes(read);

/** Lists whose items are cached: all items are read after every write. */
const LISTS_OF_CACHED_ROWS = new Set(['listSpacesInOrganizationById', 'listSpacesInCollectionById']);
const writes = operations.filter(({ method }) => method !== 'GET');

beforeAll(async () => {
  writer = await startApp();
  // Each connection would plan the first executions of every statement: there are dozens of connections and statements.
  const { database } = writer.database;
  await writer.sql(`alter database ${database} set plan_cache_mode = force_generic_plan`);
  other = await startApp({ beside: writer });
  uncached = await startApp({ beside: writer, environment: { OCTAVO_CACHE: 'off' } });
  world = await aWorld(writer);
  // One after another: on a slow machine, all at once would wait too long for a connection of the pool.
  const samples = new Map<NamedOperation, Sample>();
  for (const read of reads) samples.set(read, await sampleOf(uncached, read, world.a));
  baseSamples = samples;
});

afterAll(() => {
  console.log(`cache: ${writes.length} writes, ${comparisons} answers compared`);
});

type ReadRequest = readonly [url: string, token: string];

const referenceOf = (schema: unknown) => (schema as { [REFERENCE]?: Reference })[REFERENCE];

/**
 * The reads of what the write concerns, the essential ones by all readers, and of a part of everything else (by the first of
 * them). Reads of one resource use the same cached row, so that of those that are not essential, a part suffices.
 */
function requestsFor(write: Sample, readers: readonly string[], n: number): ReadRequest[] {
  const others = new Set(partOf(representatives, 4, n));
  const concerned = new Set(partOf(reads, 4, n));
  const idsBy = new Map<string, string[]>();
  for (const { id, reference } of write.ids) {
    const { key } = reference.resource;
    idsBy.set(key, [...(idsBy.get(key) ?? []), id]);
  }
  return reads.flatMap((read) => {
    const base = baseSamples.get(read);
    if (!base) throw new Error(`no sample of ${read.id}`);
    let paths = [read.path];
    let isConcerned = false;
    for (const [name, schema] of Object.entries(read.params?.properties ?? {})) {
      const own = idsBy.get(referenceOf(schema)?.resource.key ?? '');
      isConcerned ||= own !== undefined;
      const ids = own ?? [base.params[name] ?? ''];
      paths = paths.flatMap((path) => [...new Set(ids)].map((id) => path.replace(`{${name}}`, id)));
    }
    const hasCachedItems = LISTS_OF_CACHED_ROWS.has(read.id);
    const isRead = isConcerned ? isEssential(read) || concerned.has(read) : others.has(read);
    if (!isRead && !hasCachedItems) return [];
    // The access to most lists is cached, their items are not: a few items suffice.
    const limit = hasCachedItems ? 1000 : 3;
    const query = 'limit' in (read.query?.properties ?? {}) ? `?limit=${limit}` : '';
    const isForAll = isConcerned && representatives.includes(read);
    return paths.flatMap((path) =>
      (isForAll ? readers : readers.slice(0, 1)).map((token): ReadRequest => [path + query, token]),
    );
  });
}

/** The admin, a member, a guest with a role there, the writer, and every user that the write concerns. */
async function readersOf(write: Sample): Promise<string[]> {
  const { a } = world;
  const idsOf = (key: string) =>
    write.ids.filter((id) => id.reference.resource.key === key).map(({ id }) => id);
  await grantOn(writer, a.people.guest, 'comment', idsOf('space_id'), idsOf('collection_id'));
  const known = [a.admin, a.people.edit, a.people.guest].map(({ token }) => token);
  const { db } = writer.app.installation.connection;
  const people = await Promise.all(
    idsOf('user_id').map(async (id) => (await insertToken(db, id, { label: 'Reader' })).token),
  );
  const tokens = idsOf('token_id').map((id) => `ov_known_${id}`);
  for (const [index, id] of idsOf('token_id').entries())
    await writer.sql('update tokens set hash = $1 where id = $2', [hashOfToken(tokens[index] ?? ''), id]);
  return [...new Set([...known, write.token, ...people, ...tokens])];
}

/** Status, version and content, without the time a user was last seen. */
async function fetchState(app: TestApp, [url, token]: ReadRequest): Promise<string> {
  // Not `app.call`, which checks every response against the public schema: there are too many of them.
  const answer = await app.app.server.inject({ url, headers: { authorization: `Bearer ${token}` } });
  const { statusCode: status, headers, body } = answer;
  expect(status, `${url} ${body}`).toBeLessThan(500);
  const version = String(headers['etag']).split('-')[0];
  return `${status} ${version} ${body.replaceAll(/,?"last(Seen|Used)At":"[^"]*"/g, '')}`;
}

/** Twelve at a time, so that none waits too long for a connection of the pool. */
async function forAll<T>(
  requests: readonly ReadRequest[],
  work: (request: ReadRequest, index: number) => Promise<T>,
): Promise<T[]> {
  const answers: T[] = [];
  for (let start = 0; start < requests.length; start += 12)
    answers.push(
      ...(await Promise.all(
        requests.slice(start, start + 12).map((each, index) => work(each, start + index)),
      )),
    );
  return answers;
}

const fetchAll = (app: TestApp, requests: readonly ReadRequest[]): Promise<string[]> =>
  forAll(requests, (each) => fetchState(app, each));

const table = (requests: readonly ReadRequest[], answers: readonly string[]) =>
  requests.map(([url, token], index) => `${token.slice(-6)} ${url} → ${answers[index]}`);

describe.each(writes.map((write, n) => [write.id, write, n] as const))('after %s', (_id, write, n) => {
  test('no stale response is served', async () => {
    const sample = await sampleOf(writer, write, world.a);
    const readers = await readersOf(sample);
    const requests = requestsFor(sample, readers, n);
    for (const app of [writer, other]) await fetchAll(app, requests);

    const { status, text } = await writer.call(sample.method, sample.url, {
      token: sample.token,
      ...(sample.body === undefined ? {} : { body: sample.body }),
    });
    expect(status, text).toBe(write.status);
    const writtenAt = Date.now();

    const immediate = await fetchAll(writer, requests);
    const expected = table(requests, await fetchAll(uncached, requests));
    expect(table(requests, immediate)).toEqual(expected);
    // And again, with the cache entries of this round.
    expect(table(requests, await fetchAll(writer, requests))).toEqual(expected);
    comparisons += 4 * requests.length;

    await forAll(requests, async (request, index) => {
      for (;;) {
        const requestedAt = Date.now();
        const [line] = table([request], [await fetchState(other, request)]);
        if (line === expected[index]) break;
        if (requestedAt > writtenAt + 1000) expect(line).toBe(expected[index]);
        await delay(10);
      }
    });
  });
});
