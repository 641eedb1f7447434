import { once } from 'node:events';
import net from 'node:net';
import { beforeAll, expect, test, vi } from 'vitest';
import { startApp, type TestApp } from './app.ts';
import { contentsOf, insert, type Contents } from './content.ts';
import { listening } from './socket.ts';
import { aSide, type Side } from './world.ts';

const MEGABYTE = 1024 * 1024;

let app: TestApp;
let side: Side;
let contents: Contents;
let space: string;
let port: number;

beforeAll(async () => {
  app = await startApp();
  side = await aSide(app, 'alpha');
  contents = contentsOf(app, side);
  space = await contents.aSpace();
  ({ port } = await listening(app));
});

/** Sends these bytes, disconnects at the first response bytes (or after a timeout), and waits for the server to notice. */
async function abortRequest(bytes: string): Promise<void> {
  const connected = once(app.app.server.server, 'connection') as Promise<[net.Socket]>;
  const client = net.connect(port, '127.0.0.1');
  client.on('error', () => {});
  client.write(bytes);
  const [server] = await connected;
  const closed = once(server, 'close').catch(() => undefined);
  await Promise.race([once(client, 'data'), new Promise((resolve) => setTimeout(resolve, 300))]);
  client.resetAndDestroy();
  await closed;
  await new Promise((resolve) => setTimeout(resolve, 100));
}

const request = (line: string, ...headers: string[]) =>
  `${[`${line} HTTP/1.1`, 'Host: octavo.test', `Authorization: Bearer ${side.admin.token}`, ...headers].join('\r\n')}\r\n\r\n`;

/** Poorly compressible, so that most of its bytes are transmitted. */
const noise = (length: number): string =>
  Array.from({ length: length / 8 }, () => Math.random().toString(36).slice(2, 9).padEnd(8, 'x')).join('');

test('requests aborted by their client are not logged as errors', async () => {
  const log = { error: vi.spyOn(app.app.server.log, 'error'), warn: vi.spyOn(app.app.server.log, 'warn') };
  const edited = await contents.edit(
    space,
    insert('Large', noise(1.5 * MEGABYTE).replaceAll(/(.{80})/g, '$1\n\n')),
  );
  const page = `${space}/content/page/${edited.changes[0].page.id}`;
  const base64 = Buffer.from(noise(8 * MEGABYTE)).toString('base64');
  const stored = await contents.edit(space, {
    operation: 'insert_files',
    files: [{ name: 'a.txt', base64 }],
  });
  const download = new URL(stored.insertedFiles[0].downloadURL).pathname;
  const upload = await contents.call('POST', `/v1/orgs/${side.organizationId}/storage/upload`, {
    file: { name: 'b.txt', type: 'text/plain', size: 1000 },
    kind: 'organization_file',
  });
  const json = 'Content-Type: application/json';

  for (const bytes of [
    `${request(`POST ${space}/content`, json, `Content-Length: ${MEGABYTE}`)}{"changes":`,
    `${request(`POST ${space}/content`, json, 'Transfer-Encoding: chunked')}5\r\n{"cha\r\n`,
    `${request(`POST ${space}/comments`, json, 'Content-Length: 100')}{"body":`,
    `${request(`PUT ${new URL(upload.body.url).pathname}`, 'Content-Length: 1000')}hello`,
    request(`GET ${download}`),
    request(`GET ${page}?format=document`),
    request(`GET ${page}?format=document`, 'Accept-Encoding: gzip'),
    request(`GET ${page}`, 'Accept-Encoding: br'),
  ]) {
    await abortRequest(bytes);
    const logged = [...log.error.mock.calls, ...log.warn.mock.calls].map(([first]) => first);
    expect(logged, bytes.slice(0, 60)).toEqual([]);
  }
});
