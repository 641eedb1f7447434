import { accessSync, constants } from 'node:fs';
import { readConfig, type Config } from '../../config.ts';
import type { Administrator } from '../../first-start.ts';
import { createLog } from '../../log.ts';
import { openDatabase } from '../../open-database.ts';
import { createHeavyProcesses } from '../../platform/heavy/heavy-process.ts';
import { VERSION } from '../../platform/version.ts';
import type { Command, Output } from '../command.ts';
import { listenAt } from './listen.ts';
import { stopRequested, untilStopped } from '../signals.ts';

export const serve: Command = {
  name: 'serve',
  summary: 'Start the server: API, pages and jobs.',
  options: {},
  async run(_given, output) {
    const stop = stopRequested();
    const config = readConfig();
    const log = createLog(config);
    for (const warning of config.warnings) log.warn(warning);
    const opening = openDatabase(config, log, true);
    // An error is thrown where it is awaited.
    opening.catch(() => undefined);
    const { buildApp, readAdministrator, releaseJobs } = await load().catch(async (error: unknown) => {
      await (await opening.catch(() => undefined))?.stop();
      throw error;
    });
    const heavy = createHeavyProcesses(config.heavyProcesses, {
      program: process.argv[1] ?? '',
      arguments: ['heavy'],
      memoryMb: config.heavyMemory,
      log,
    });
    const app = await buildApp(config, log, { opening, heavy });
    try {
      await listenAt(app.server, config.host, config.port, 'PORT');
      announce(config, await readAdministrator(app.installation.connection.db, config), output);
      heavy.start((workerId) => releaseJobs(app.installation.connection.pool, workerId));
      await untilStopped(stop, app.installation.lost);
    } finally {
      await app.server.close();
      await heavy.stop();
      await app.close();
    }
  },
};

/** The rest of the program, while PostgreSQL starts. */
const load = async () => ({
  ...(await import('../../app.ts')),
  ...(await import('../../first-start.ts')),
  ...(await import('../../platform/jobs/worker.ts')),
});

function announce(config: Config, administrator: Administrator | undefined, output: Output): void {
  const { token, email = '<e-mail>' } = administrator ?? {};
  const lines = [
    `Octavo ${VERSION} is running`,
    `  Site       ${config.url}/`,
    `  Reference  ${config.url}/reference`,
    `  API        ${config.url}/v1`,
    '',
    ...(token ? [`  Administrator token (shown this once): ${token}`] : []),
    `  Lost your token? ${commandHere(config)} token create --user ${email}`,
  ];
  output.result({ url: config.url, token }, lines.join('\n'));
}

/** A command of this installation: its environment and the program that was started, so that it runs in any folder. */
function commandHere({ databaseUrl, dataDirectory }: Config): string {
  const [, program = ''] = process.argv;
  const started = `${isExecutable(program) ? '' : 'node '}${quoteForShell(program)}`;
  if (databaseUrl) return `In the environment of this server: ${started}`;
  return `OCTAVO_DATA=${quoteForShell(dataDirectory)} ${started}`;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const quoteForShell = (text: string): string =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
