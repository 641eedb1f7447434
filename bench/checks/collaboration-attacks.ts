import { connect } from 'node:net';
import { once } from 'node:events';
import { batchOf, completed, fill, MB, refused, times, type Attack } from '../attack.ts';
import { createSpace } from '../space.ts';
import { attack, type Response, type Victim } from '../victim.ts';

/** Hostile PDFs, change requests and uploads. */

interface Inserted {
  readonly changes: readonly { readonly page: { readonly id: string } }[];
}

const pdfOf = async ({ api, server }: Victim, markdown: string) => {
  const space = `/v1/spaces/${await createSpace(api)}`;
  await api.send({
    method: 'POST',
    path: `${space}/content`,
    body: JSON.parse(batchOf(markdown)) as object,
  });
  return attack(server, { method: 'GET', path: `${space}/pdf` });
};

const pdfs: Attack = {
  name: 'PDFs of one long word and of a list of 5,000 items',
  run: async (victim) => [
    refused(await pdfOf(victim, fill('a', 2 * MB - 100_000))),
    completed(await pdfOf(victim, '- item *x*\n'.repeat(5_000))),
  ],
};

const descriptions: Attack = {
  name: 'list of 100 change requests with descriptions of 80 kB',
  run: async ({ api, server }) => {
    const path = `/v1/spaces/${await createSpace(api)}/change-requests`;
    const description = { markdown: fill('Some words of a description.\n\n', 80_000) };
    for (let index = 0; index < 100; index++) await api.send({ method: 'POST', path, body: { description } });
    return (await times(4, () => attack(server, { method: 'GET', path: `${path}?limit=100` }))).map(
      completed,
    );
  },
};

/** All conflicts of the first update are agreed by the second one. */
const agreedConflicts: Attack = {
  name: 'update of a change request after 10,000 conflicts were agreed',
  run: async ({ api, server }) => {
    const space = `/v1/spaces/${await createSpace(api)}`;
    const lines = (end: string) => Array.from({ length: 10_000 }, (_, n) => `a${n} ${end}`).join('\n\n');
    const path = `${space}/content`;
    const body = JSON.parse(batchOf(lines('x'))) as object;
    const { changes } = await api.send<Inserted>({ method: 'POST', path, body });
    const { id } = await api.send<{ id: string }>({
      method: 'POST',
      path: `${space}/change-requests`,
      body: {},
    });
    const request = `${space}/change-requests/${id}`;
    const edit = (of: string, markdown: string) =>
      attack(server, {
        path: `${of}/content`,
        body: JSON.stringify({
          changes: [{ operation: 'update_page', page: changes[0]?.page.id, document: { markdown } }],
        }),
      });
    const update = () => attack(server, { path: `${request}/update` });
    return [
      completed(await edit(request, lines('z'))),
      completed(await edit(space, lines('y'))),
      completed(await update()),
      completed(await edit(space, lines('z'))),
      completed(await update()),
    ];
  },
};

const unfinishedBodies: Attack = {
  name: '40 bodies of 16 MB of which 12 MB arrive',
  run: async ({ api, server }) => {
    const path = `/v1/spaces/${await createSpace(api)}/content`;
    const { port, hostname } = new URL(server.url);
    const head = [
      `POST ${path} HTTP/1.1`,
      'Host: octavo.test',
      `Authorization: Bearer ${server.token}`,
      'Content-Type: application/json',
      `Content-Length: ${16 * MB}`,
    ].join('\r\n');
    const part = Buffer.alloc(12 * MB, ' ');
    const upload = async (): Promise<Response> => {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      // An error: the connection was closed after a refusal.
      const answer = once(socket, 'data').catch(() => undefined);
      const silence = new Promise((resolve) => setTimeout(resolve, SILENCE_MS));
      socket.write(`${head}\r\n\r\n`);
      socket.write(part);
      const received = (await Promise.race([answer, silence])) as [Buffer] | undefined;
      socket.destroy();
      // Some are read without end, and the others refused: never a server error.
      return { isExpected: received === undefined || received[0].toString().startsWith('HTTP/1.1 429 ') };
    };
    return times(40, upload);
  },
};

const SILENCE_MS = 10_000;

export const collaborationAttacks: readonly Attack[] = [
  pdfs,
  descriptions,
  agreedConflicts,
  unfinishedBodies,
];
