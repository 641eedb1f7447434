import { lookup } from 'node:dns/promises';
import { DEFAULT_DATA_DIRECTORY, readConfig, type Config } from '../config.ts';
import type { Administrator } from '../first-start.ts';
import { createLog } from '../log.ts';
import { openDatabase } from '../open-database.ts';
import { StartError } from '../platform/embedded-postgres/index.ts';
import { collectWhenIdle, limitHeapGrowth } from '../platform/heap.ts';
import type { Worker } from '../platform/jobs/worker.ts';
import { VERSION } from '../platform/version.ts';
import type { Command, Output } from './command.ts';
import { stopRequested, untilStopped } from './signals.ts';

export const serve: Command = {
  name: 'serve',
  summary: 'Start the server: API, pages and jobs.',
  options: {},
  async run(_given, output) {
    limitHeapGrowth();
    collectWhenIdle();
    const stop = stopRequested();
    const config = readConfig();
    const log = createLog(config);
    const opening = openDatabase(config, log, true);
    // An error is thrown where it is awaited.
    opening.catch(() => undefined);
    const { buildApp, startJobs, readAdministrator } = await load().catch(async (error: unknown) => {
      await (await opening.catch(() => undefined))?.stop();
      throw error;
    });
    const app = await buildApp(config, log, { opening });
    let worker: Worker | undefined;
    try {
      await app.server
        .listen({ host: await addressOf(config.host), port: config.port })
        .catch((error: unknown) => {
          throw explainListen(error, config);
        });
      announce(config, await readAdministrator(app.installation.connection.db, config), output);
      worker = await startJobs(app.context, app.installation, log);
      await untilStopped(stop, app.installation.lost);
    } finally {
      await Promise.all([worker?.stop(), app.server.close()]);
      await app.close();
    }
  },
};

/** The rest of the program, while PostgreSQL starts. */
const load = async () => ({ ...(await import('../app.ts')), ...(await import('../first-start.ts')) });

/** Of a name with two addresses, Fastify would open a second server, which closes and reads connections without our rules. */
const addressOf = async (host: string): Promise<string> =>
  host === 'localhost' ? (await lookup(host)).address : host;

function announce(config: Config, administrator: Administrator | undefined, output: Output): void {
  const { token, email = '<e-mail>' } = administrator ?? {};
  const lines = [
    `Octavo ${VERSION} is running`,
    `  Site       ${config.url}/`,
    `  Reference  ${config.url}/reference`,
    `  API        ${config.url}/v1`,
    '',
    ...(token ? [`  Administrator token (shown this once): ${token}`] : []),
    `  Lost your token? ${environmentHint(config)}npx octavo token create --user ${email}`,
  ];
  output.result({ url: config.url, token }, lines.join('\n'));
}

/** Environment variables that a command needs to find the database of this server. */
function environmentHint({ databaseUrl, dataDirectory }: Config): string {
  if (databaseUrl) return 'In the environment of this server: ';
  return dataDirectory === DEFAULT_DATA_DIRECTORY ? '' : `OCTAVO_DATA=${quoteForShell(dataDirectory)} `;
}

const quoteForShell = (text: string): string =>
  /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

function explainListen(error: unknown, { host, port }: Config): unknown {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new StartError(
        `Port ${port} on ${host} is in use. Stop the program that uses it, or choose another port with PORT.`,
      );
    case 'EACCES':
      return new StartError(
        `Port ${port} on ${host} requires more privileges. Choose a port above 1023 with PORT.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartError(`${host} is not an address of this machine. Choose another address with HOST.`);
    default:
      return error;
  }
}
