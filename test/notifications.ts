import { expect } from 'vitest';
import { sendNotifications } from '../src/domains/notifications/jobs.ts';
import { startApp, type TestApp } from './app.ts';
import { contentsOf, insert, type Contents } from './content.ts';
import { jobContext } from './import-runs.ts';
import { serveMail, type Mail, type MailServer } from './mail-server.ts';
import { aSide, type Person, type Side } from './world.ts';

/** A mail as its reader sees it. */
export interface ReadMail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  header(name: string): string;
}

export interface Notifications {
  readonly app: TestApp;
  readonly server: MailServer;
  readonly side: Side;
  readonly contents: Contents;
  /** A request that must succeed. */
  as(person: Person, method: string, path: string, body?: unknown): ReturnType<TestApp['call']>;
  /** Delivers the events, and sends what is due, as if its time had come. Returns the new mails. */
  send(): Promise<ReadMail[]>;
  /** A change request of the person, with a change. */
  aRequest(space: string, author: Person, subject?: string): Promise<string>;
}

export async function startNotifications(
  environment: Readonly<Record<string, string>> = {},
): Promise<Notifications> {
  const server = await serveMail();
  const app = await startApp({
    environment: {
      ...environment,
      OCTAVO_SMTP_URL: server.url,
      OCTAVO_SMTP_FROM: 'Docs <docs@octavo.test>',
    },
  });
  const side = await aSide(app, 'alpha');
  const as: Notifications['as'] = async ({ token }, method, path, body) => {
    const answer = await app.call(method, path, { token, ...(body === undefined ? {} : { body }) });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer;
  };
  return {
    app,
    server,
    side,
    contents: contentsOf(app, side),
    as,
    async send() {
      const before = server.mails.length;
      await app.tellReaders();
      await app.sql(`update notifications set due_at = now() where ended_at is null`);
      const users = await app.sql('select distinct user_id from notifications where ended_at is null');
      for (const { user_id: userId } of users)
        await sendNotifications.run(jobContext(app), { userId: String(userId) });
      return server.mails.slice(before).map(readMail);
    },
    async aRequest(space, author, subject = 'Fix the guide') {
      const { body } = await as(author, 'POST', `${space}/change-requests`, { subject });
      const request = `${space}/change-requests/${body.id}`;
      await as(author, 'POST', `${request}/content`, { changes: [insert(`Page of ${body.id}`, 'Text.')] });
      return request;
    },
  };
}

export const mention = ({ id }: Person): string => `[octavo:user/${id}](octavo:user/${id} "mention")`;

export function readMail({ to, raw }: Pick<Mail, 'to' | 'raw'>): ReadMail {
  const [head = ''] = raw.split('\r\n\r\n', 1);
  const header = (name: string) => headerOf(head, name);
  const boundary = /boundary="([^"]+)"/.exec(header('content-type'))?.[1] ?? '';
  const parts = raw.split(`--${boundary}`).slice(1, -1);
  const bodyOf = (type: string) => {
    const part = parts.find((each) => headerOf(each.trimStart(), 'content-type').startsWith(type)) ?? '';
    const [partHead = '', ...rest] = part.trimStart().split('\r\n\r\n');
    return decodeBody(rest.join('\r\n\r\n'), headerOf(partHead, 'content-transfer-encoding'));
  };
  return {
    to: to.join(),
    subject: decodeWords(header('subject')),
    text: bodyOf('text/plain'),
    html: bodyOf('text/html'),
    header,
  };
}

/** Unfolded. */
function headerOf(head: string, name: string): string {
  const line = head
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
    .find((each) => each.toLowerCase().startsWith(`${name.toLowerCase()}:`));
  return line?.slice(name.length + 1).trim() ?? '';
}

function decodeBody(text: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(text, 'base64').toString('utf8');
  return encoding === 'quoted-printable' ? decodeQuoted(text.replaceAll('=\r\n', '')) : text;
}

const decodeQuoted = (text: string): string =>
  Buffer.from(
    text.replaceAll(/=([0-9A-F]{2})/g, (_match, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    ),
    'latin1',
  ).toString('utf8');

const decodeWords = (text: string): string =>
  text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi, (_match, how: string, word: string) =>
      how.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString('utf8')
        : decodeQuoted(word.replaceAll('_', ' ')),
    );
