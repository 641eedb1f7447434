import { createSocket } from 'node:dgram';
import { atEnd } from './at-end.ts';

/** The TXT records of a name, or the code of an error (2: SERVFAIL). */
type Records = readonly string[] | 2;

export interface NameServer {
  readonly address: string;
  readonly records: Map<string, Records>;
  readonly asked: string[];
}

/** A name server on this machine that answers questions for TXT records over UDP. */
export async function startNameServer(): Promise<NameServer> {
  const records = new Map<string, Records>();
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (question, { port, address }) => {
    const name = nameIn(question);
    asked.push(name);
    socket.send(answerTo(question, records.get(name)), port, address);
  });
  await new Promise<void>((done) => void socket.bind(0, '127.0.0.1', done));
  atEnd(() => new Promise<void>((done) => void socket.close(done)));
  return { address: `127.0.0.1:${socket.address().port}`, records, asked };
}

const HEADER_LENGTH = 12;

function nameIn(message: Buffer): string {
  const labels: string[] = [];
  let at = HEADER_LENGTH;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return labels.join('.').toLowerCase();
}

/** Offset of the end of the question: its name, type and class. */
const questionEnd = (message: Buffer): number => message.indexOf(0, HEADER_LENGTH) + 5;

function answerTo(question: Buffer, found: Records | undefined): Buffer {
  const values = typeof found === 'object' ? found : [];
  const header = Buffer.from(question.subarray(0, HEADER_LENGTH));
  const code = found === undefined ? 3 : typeof found === 'number' ? found : 0;
  header.writeUInt16BE(0x8180 | code, 2);
  header.writeUInt16BE(values.length, 6);
  header.writeUInt32BE(0, 8);
  return Buffer.concat([
    header,
    question.subarray(HEADER_LENGTH, questionEnd(question)),
    ...values.map(recordOf),
  ]);
}

/** A TXT record for the name of the question, in parts of at most 255 bytes. */
function recordOf(value: string): Buffer {
  const parts = value.match(/.{1,255}/gs) ?? [''];
  const data = Buffer.concat(
    parts.map((part) => Buffer.concat([Buffer.from([part.length]), Buffer.from(part, 'latin1')])),
  );
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc0_0c, 0);
  head.writeUInt16BE(16, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
