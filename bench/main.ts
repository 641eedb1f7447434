import { availableParallelism, loadavg } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { cleanUpOnExit, createCleanup } from './cleanup.ts';
import { parseOptions, USAGE, UsageError, type Options } from './options.ts';
import { failuresOf, save, tableOf } from './report.ts';
import { run } from './run.ts';

const RESULTS = fileURLToPath(new URL('results/', import.meta.url));

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  try {
    const options = parseOptions(args);
    if (options) return await bench(options);
    process.stdout.write(USAGE);
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    process.stderr.write(`${error.message}\n\n${USAGE}`);
    return 2;
  }
}

async function bench(options: Options): Promise<number> {
  const cleanup = createCleanup();
  cleanUpOnExit(cleanup);
  try {
    warnAboutLoad();
    const profiles = options.profile ? path.join(RESULTS, 'profiles') : undefined;
    const results = await run(cleanup, options, profiles, (text) => process.stderr.write(`… ${text}\n`));
    if (results.rows.length + results.checks.length + results.problems.length === 0) {
      throw new UsageError(`No measurement has "${options.only}" in its name.`);
    }
    const file = save(RESULTS, results);
    const failures = failuresOf(results);
    process.stdout.write(`\n${tableOf(results)}\n\nAll numbers: ${path.relative('.', file)}\n`);
    for (const failure of failures) process.stderr.write(`Failed: ${failure}\n`);
    return failures.length > 0 ? 1 : 0;
  } finally {
    await cleanup.run();
  }
}

function warnAboutLoad(): void {
  const load = loadavg()[0] ?? 0;
  if (load < availableParallelism() / 4) return;
  process.stderr.write(
    `The load average of this machine is already ${load.toFixed(1)}: only the ratios are reliable.\n`,
  );
}
