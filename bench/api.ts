import { request, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Ask } from './row.ts';

/** What the setup of a row makes its data with: the HTTP API itself. */
export interface Api {
  /** The JSON that was answered; anything but 2xx is an error. */
  send<T = unknown>(ask: Ask): Promise<T>;
  /** A new organization, whose admin is the caller; its id. */
  createOrganization(): Promise<string>;
}

export interface Place {
  readonly url: string;
  readonly token: string;
}

export interface Sample {
  readonly status: number;
  readonly contentType: string;
  readonly bytes: number;
}

export function createApi(place: Place): Api {
  const send = async <T>(ask: Ask): Promise<T> => {
    const text = (await fetchOk(place, ask)).body.toString('utf8');
    return (text === '' ? undefined : JSON.parse(text)) as T;
  };
  return {
    send,
    async createOrganization() {
      const { id } = await send<{ id: string }>({
        method: 'POST',
        path: '/v1/orgs',
        body: { title: 'Measured' },
      });
      return id;
    },
  };
}

/** What an answer is like, for the bare server to imitate. */
export async function sample(place: Place, ask: Ask): Promise<Sample> {
  const { answer, body } = await fetchOk(place, ask);
  return {
    status: answer.statusCode ?? 200,
    contentType: answer.headers['content-type'] ?? 'application/json; charset=utf-8',
    bytes: body.length,
  };
}

export const headersOf = ({ token }: Place, ask: Ask): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  ...(ask.body === undefined ? {} : { 'content-type': 'application/json' }),
  ...ask.headers,
});

export const bodyOf = (ask: Ask): string | undefined =>
  ask.body === undefined ? undefined : JSON.stringify(ask.body);

/** Not `fetch`, which would ask for a compressed answer and then hide how long that was. */
function fetchOk(place: Place, ask: Ask): Promise<{ answer: IncomingMessage; body: Buffer }> {
  const { method = 'GET', path } = ask;
  return new Promise((resolve, reject) => {
    const sending = request(place.url + path, { method, headers: headersOf(place, ask) }, (answer) => {
      buffer(answer).then((body) => {
        if (answer.statusCode && answer.statusCode < 300) return resolve({ answer, body });
        return reject(new Error(`${method} ${path} answered ${answer.statusCode}: ${body.toString('utf8')}`));
      }, reject);
    });
    sending.on('error', reject).end(bodyOf(ask));
  });
}
