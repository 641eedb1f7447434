import { listFailedJobs, retryJobs as retry } from '../platform/jobs/failed.ts';
import { administer } from './administer.ts';
import { CommandError, UsageError, type Command } from './command.ts';
import { visible } from './content/progress.ts';
import { table } from './table.ts';

export const listJobs: Command = {
  name: 'jobs',
  summary: 'List the background jobs that failed, and when they are attempted again.',
  options: {},
  async run(_given, output) {
    const rows = await administer(listFailedJobs);
    const cells = rows.map((row) => [
      row.id,
      row.task,
      String(row.attempts),
      row.failedAt.toISOString(),
      row.nextAttemptAt?.toISOString() ?? 'never',
      visible(row.error.split('\n')[0] ?? ''),
    ]);
    const head = ['id', 'task', 'attempts', 'failed at', 'next attempt', 'error'];
    output.result(rows, rows.length === 0 ? 'No job failed.' : table(head, cells));
  },
};

export const retryJobs: Command = {
  name: 'jobs retry',
  summary: 'Run a failed job again, or all of them. A running server or worker starts them within seconds.',
  options: {},
  flags: { all: 'all failed jobs' },
  optionalArguments: ['id'],
  async run({ id, all }, output) {
    if ((id === undefined) === (all === undefined)) throw new UsageError('Give the id of a job, or --all.');
    const retried = await administer(async (db) => {
      const failed = (await listFailedJobs(db)).map((job) => job.id);
      return retry(db, id === undefined ? failed : failed.filter((each) => each === id));
    });
    if (id !== undefined && retried.length === 0)
      throw new CommandError(`There is no failed job ${id}. \`octavo jobs\` lists failed jobs.`);
    output.result({ retried }, `Retried: ${retried.length}.`);
  },
};
