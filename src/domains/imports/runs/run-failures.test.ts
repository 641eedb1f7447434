import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { jobContext, performImports, performObserved, type Around } from '../../../../test/import-runs.ts';
import { startImporting, type Importing } from '../../../../test/importing.ts';
import { countLockWaits } from '../../../../test/lock-waits.ts';
import { expectError } from '../../../../test/refusal.ts';
import { respond, type Handler } from '../../../../test/site.ts';
import { aSide, type Side } from '../../../../test/world.ts';
import { copyTransferredContent } from '../../content/garbage-collection/copy-transferred-content.ts';

const page = respond(200, { 'content-type': 'text/markdown' }, '# Page\n\nText.\n');
/** Called before the page is sent. */
let meanwhile: () => Promise<unknown>;
const waiting: Handler = (request, response) => void meanwhile().then(() => page(request, response));

let importing: Importing;
let runs: string;

beforeAll(async () => {
  importing = await startImporting({ '/page.md': waiting });
  runs = `/v1/org/${importing.side.organizationId}/imports`;
});
beforeEach(async () => {
  meanwhile = () => Promise.resolve();
  await importing.app.sql('delete from import_runs');
});

const idOf = (path: string): string => path.split('/').at(-1) ?? '';

async function started(space: string, target: object = {}): Promise<string> {
  const { status, text, body } = await importing.contents.call('POST', runs, {
    source: { type: 'url', url: `${importing.site.url}/page.md`, source: 'markdown' },
    target: { space: idOf(space), ...target },
  });
  expect(status, text).toBe(201);
  return body.id;
}

const rowOf = async (id: string) =>
  (await importing.app.sql('select * from import_runs where id = $1', [id]))[0];

/** As if the process that performs the run had ended two minutes ago. */
const letTimePass = () =>
  importing.app.sql(
    `update import_runs set seen_at = now() - interval '3 minutes' where seen_at is not null`,
  );

/** Calls `at` with the n-th statement of the job only. Counts all of them. */
function atStatement(n: number, at: Around): { readonly around: Around; readonly count: () => number } {
  let count = 0;
  return {
    around: (send, text) => (++count === n ? at(send, text) : send()),
    count: () => count,
  };
}

describe('a run of which a statement fails', () => {
  const broken = () => Promise.reject(Object.assign(new Error('broken'), { code: 'XX000' }));

  test.each<[string, Around]>([
    ['before it is performed', broken],
    ['after it was performed, as if its result were lost', (send) => send().then(broken)],
  ])('%s: the next attempt completes it, with one revision', async (_name, at) => {
    const { app, contents } = importing;
    const space = await contents.aSpace();
    let failures = 0;
    for (let n = 1; ; n++) {
      const id = await started(space);
      const { around, count } = atStatement(n, at);
      await performObserved(app, around).catch((error: Error) => {
        expect(error.message).toBe('broken');
        failures++;
      });
      if (count() < n) break;
      await letTimePass();
      await performImports(app);
      expect(await rowOf(id)).toMatchObject({ status: 'completed' });
      expect(await contents.pages(space)).toHaveLength(n);
    }
    expect(failures).toBeGreaterThan(10);
  });
});

describe('a run that is cancelled at any statement', () => {
  test('is either cancelled or completed, and has a revision only in the latter case', async () => {
    const { app, contents } = importing;
    const space = await contents.aSpace();
    const ends = { cancelled: 0, completed: 0 };
    for (let n = 1; ; n++) {
      const id = await started(space);
      const before = (await contents.pages(space)).length;
      let cancelling: ReturnType<typeof contents.call> | undefined;
      const { around, count } = atStatement(n, async (send) => {
        const answered = new AbortController();
        cancelling = contents.call('POST', `${runs}/${id}/cancel`).finally(() => answered.abort());
        cancelling.catch(() => undefined);
        // Where the run is locked, it waits until the transaction ends.
        while (!answered.signal.aborted && (await countLockWaits(app)) === 0) await delay(5);
        return send();
      });
      await performObserved(app, around);
      if (count() < n || !cancelling) break;
      const { status } = await cancelling;
      const row = await rowOf(id);
      const added = (await contents.pages(space)).length - before;
      expect([n, row?.['status'], status, added]).toEqual(
        row?.['status'] === 'completed' ? [n, 'completed', 409, 1] : [n, 'cancelled', 201, 0],
      );
      ends[added === 1 ? 'completed' : 'cancelled']++;
    }
    expect(ends.cancelled).toBeGreaterThan(5);
    expect(ends.completed).toBeGreaterThan(0);
  });
});

describe('a run that two jobs perform', () => {
  test('at once, one statement of one after one of the other, has one revision', async () => {
    const { app, contents } = importing;
    const space = await contents.aSpace();
    const id = await started(space);
    let isSecondStarted = false;
    let second: Promise<void> | undefined;
    // The second job claims the run when the first has read the source.
    meanwhile = async () => {
      if (isSecondStarted) return;
      isSecondStarted = true;
      await letTimePass();
      second = performImports(app);
      // Awaited below, unless the first job fails.
      second.catch(() => undefined);
      while ((await rowOf(id))?.['attempt'] !== 2) await delay(10);
    };
    await performImports(app);
    await second;
    expect(await rowOf(id)).toMatchObject({ status: 'completed', attempt: 2 });
    expect(await contents.pages(space)).toHaveLength(1);
  });

  test('one after the other is performed once', async () => {
    const { app, contents } = importing;
    const space = await contents.aSpace();
    const id = await started(space);
    await performImports(app);
    const revision = await importing.revisionOf(space);
    await letTimePass();
    await performImports(app);
    expect(await rowOf(id)).toMatchObject({ status: 'completed', attempt: 1, revision_id: revision });
    expect(await importing.revisionOf(space)).toBe(revision);
  });
});

describe('a space that is transferred during a run', () => {
  let other: Side;
  const transfer = async (space: string) => {
    const { app, side } = importing;
    // The user who transfers a space is an admin of both organizations.
    await app.sql(
      `insert into members (organization_id, user_id, role) values ($1, $2, 'admin') on conflict do nothing`,
      [other.organizationId, side.admin.id],
    );
    const { status, text } = await importing.contents.call('POST', `${space}/transfer`, {
      organization: other.organizationId,
    });
    expect(status, text).toBe(200);
  };
  beforeAll(async () => {
    other = await aSide(importing.app, 'beta');
  });

  test('gets the pages, if the user may edit it there; the run belongs to the other organization', async () => {
    const { app, contents } = importing;
    const space = await contents.aSpace();
    const id = await started(space);
    meanwhile = () => transfer(space);
    await performImports(app);
    expect(await rowOf(id)).toMatchObject({ status: 'completed' });
    expect(await contents.pages(space)).toHaveLength(1);
    expect(await contents.get(`/v1/org/${other.organizationId}/imports/${id}`)).toMatchObject({
      status: 'completed',
    });
    expectError(await contents.call('GET', `${runs}/${id}`), 404);
  });

  test('and whose content was copied since fails the run: its texts are in the other store', async () => {
    const { app, contents } = importing;
    const space = await contents.aSpace();
    const id = await started(space);
    meanwhile = async () => {
      await transfer(space);
      await copyTransferredContent(jobContext(app).db, idOf(space));
    };
    await performImports(app);
    expect(await rowOf(id)).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/transferred .* Import it again/),
    });
    expect(await contents.pages(space)).toEqual([]);
  });

  test('to an organization without the user fails the run', async () => {
    const { app, contents, side } = importing;
    const space = await contents.aSpace();
    const id = await started(space);
    meanwhile = async () => {
      await transfer(space);
      await app.sql('delete from members where organization_id = $1 and user_id = $2', [
        other.organizationId,
        side.admin.id,
      ]);
    };
    await performImports(app);
    expect(await rowOf(id)).toMatchObject({ status: 'failed', revision_id: null });
  });
});
