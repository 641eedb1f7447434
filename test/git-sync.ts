import { expect } from 'vitest';
import { createLog } from '../src/log.ts';
import { loadConfig } from '../src/config.ts';
import { runGitOperations } from '../src/domains/git-sync/operations/jobs.ts';
import { pollRepositories } from '../src/domains/git-sync/connection/poll.ts';
import { startApp, type Answer, type TestApp } from './app.ts';
import { contentsOf, type Contents } from './content.ts';
import { startGitRemote } from './git-remote.ts';
import type { TestRepository } from './git-repository.ts';
import { aSide, type Side } from './world.ts';

/** Git operations of spaces, as their admin. */
export interface GitSyncs {
  readonly contents: Contents;
  /** The answer of the request only. */
  start(
    direction: 'import' | 'export',
    space: string,
    repository: { url: string },
    more?: object,
  ): Promise<Answer>;
  /** Asks the repositories that are due. */
  poll(): Promise<void>;
  /** Carries out what is queued. */
  work(): Promise<void>;
  /** Starts and carries out an operation, and returns it with its log. */
  import(space: string, repository: TestRepository, more?: object): Promise<Answer['body']>;
  export(space: string, repository: TestRepository, more?: object): Promise<Answer['body']>;
  latest(space: string): Promise<Answer['body']>;
  /** Updates a change request, chooses a version for each of its conflicts, and merges it. Returns the answer of the merge. */
  settle(request: string, use: 'primary' | 'proposed'): Promise<Answer>;
}

/** An app that reaches one remote, and the Git operations of one side. */
export async function startGitSyncs(credential: Parameters<typeof startGitRemote>[0] = {}) {
  const remote = await startGitRemote(credential);
  const app = await startApp({ environment: { OCTAVO_OUTBOUND_ALLOW: new URL(remote.origin).host } });
  const side = await aSide(app, 'alpha');
  return { app, remote, git: gitSyncsOf(app, side) };
}

export function gitSyncsOf(app: TestApp, side: Side): GitSyncs {
  const contents = contentsOf(app, side);
  const log = createLog(loadConfig({ OCTAVO_LOG_LEVEL: 'silent' }));
  const ctx = { ...app.app.context, db: app.app.installation.connection.db, log };
  const start: GitSyncs['start'] = (direction, space, { url }, more = {}) =>
    contents.call('POST', `${space}/git/${direction}`, {
      url,
      ref: 'refs/heads/main',
      ...(direction === 'export' ? { commitMessage: 'Update the guide' } : {}),
      ...more,
    });
  async function work() {
    for (;;) {
      await runGitOperations.run(ctx, {});
      const [left] = await app.sql(`select 1 from git_operations where state = 'queued'`);
      if (!left) return;
    }
  }
  async function latest(space: string) {
    const { items } = await contents.get(`${space}/git/operations?limit=1`);
    return contents.get(`${space}/git/operations/${items[0].id}`);
  }
  const carryOut =
    (direction: 'import' | 'export') =>
    async (space: string, repository: TestRepository, more = {}) => {
      const answer = await start(direction, space, repository, more);
      expect(answer.status, answer.text).toBe(204);
      await work();
      return latest(space);
    };
  const settle: GitSyncs['settle'] = async (request, use) => {
    await contents.call('POST', `${request}/update`);
    const { items } = await contents.get(`${request}/conflicts?limit=1000`);
    for (const each of items) {
      const answer = await contents.call('POST', `${request}/conflicts/${each.id}`, { use });
      expect(answer.status, answer.text).toBe(200);
    }
    return contents.call('POST', `${request}/merge`);
  };
  const poll = () => pollRepositories.run(ctx, {});
  return {
    contents,
    start,
    work,
    poll,
    latest,
    settle,
    import: carryOut('import'),
    export: carryOut('export'),
  };
}

export const message = ({ log }: Answer['body']): string => JSON.stringify(log);
