import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { atEnd } from './at-end.ts';

export interface Mail {
  readonly to: string[];
  readonly from: string;
  readonly text: string;
  /** As it was sent. */
  readonly raw: string;
}

export interface MailServer {
  /** The value of `OCTAVO_SMTP_URL`. */
  readonly url: string;
  readonly mails: Mail[];
  /** How many of the next messages are refused. */
  refusals: number;
  /** Addresses that do not exist here (550). */
  readonly unknown: Set<string>;
  /** Called before a message is accepted. */
  meanwhile: () => Promise<unknown>;
}

/** A mail server that accepts and stores all messages. Closed when the test file ends. */
export async function serveMail(): Promise<MailServer> {
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo({ address }, _session, done) {
      const refusal = Object.assign(new Error('no such user'), { responseCode: 550 });
      done(served.unknown.has(address) ? refusal : undefined);
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (served.refusals-- > 0) return done(new Error('try later'));
        const raw = Buffer.concat(chunks).toString('utf8');
        served.mails.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          from: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
          text: decoded(raw),
          raw,
        });
        const accept = async () => {
          await served.meanwhile();
          done();
        };
        void accept();
        return undefined;
      });
    },
  });
  await new Promise<void>((resolve) => smtp.listen(0, '127.0.0.1', () => resolve()));
  atEnd(() => new Promise<void>((resolve) => smtp.close(() => resolve())));
  const { port } = smtp.server.address() as AddressInfo;
  const served: MailServer = {
    url: `smtp://127.0.0.1:${port}`,
    mails: [],
    refusals: 0,
    unknown: new Set(),
    meanwhile: () => Promise.resolve(),
  };
  return served;
}

/** Decodes quoted-printable. */
const decoded = (text: string): string =>
  text
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
