import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  readonly took: number;
}

export interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly token?: string | undefined;
  readonly body?: unknown;
  readonly agent?: Agent;
}

/** The connection ended before the response did. `reused`: it had carried a response before, so it was accepted. */
export class Dropped extends Error {
  readonly reused: boolean;

  constructor(cause: NodeJS.ErrnoException, reused: boolean) {
    super(`${cause.code}: ${cause.message}`, { cause });
    this.reused = reused;
  }
}

/** One request over the connection of `agent`. Unlike `fetch`, never retried implicitly. */
export function send(url: string, { method = 'GET', path, token, body, agent }: Sent): Promise<Answered> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, url), { method, agent }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('error', fail);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: text,
          took: performance.now() - startedAt,
        }),
      );
    });
    const fail = (error: NodeJS.ErrnoException) => reject(new Dropped(error, sent.reusedSocket));
    sent.on('error', fail);
    if (token) sent.setHeader('authorization', `Bearer ${token}`);
    if (body !== undefined) sent.setHeader('content-type', 'application/json');
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

export interface Load {
  readonly answers: Answered[];
  readonly dropped: Dropped[];
  /** Resolves when the next request has finished. Rejects if every client was refused. */
  next(): Promise<void>;
  /** Starts no further request; resolves when the last one has finished. */
  end(): Promise<void>;
}

interface LoadOptions {
  readonly clients: number;
  /** The longest pause of a client between a response and its next request. */
  readonly pauseMs: number;
  next(client: number, count: number): Sent;
}

/** Clients with one connection each, which send requests sequentially until they are refused. */
export function startLoad(url: string, { clients, pauseMs, next }: LoadOptions): Load {
  const answers: Answered[] = [];
  const dropped: Dropped[] = [];
  const ending = new AbortController();
  let notify: () => void = () => undefined;

  async function run(client: number): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let count = 0; !ending.signal.aborted; count++) {
      try {
        answers.push(await send(url, { ...next(client, count), agent }));
      } catch (error) {
        if (isRefused(error)) break;
        dropped.push(error as Dropped);
      }
      notify();
      if (pauseMs > 0) await delay(Math.random() * pauseMs);
    }
    agent.destroy();
  }

  const running = Promise.all(Array.from({ length: clients }, (_, client) => run(client)));
  const ended = running.then(() => Promise.reject(new Error('No client sends requests any more')));
  ended.catch(() => undefined);
  return {
    answers,
    dropped,
    next: () => Promise.race([ended, new Promise<void>((resolve) => (notify = resolve))]),
    async end() {
      ending.abort();
      await running;
    },
  };
}

const isRefused = (error: unknown) =>
  ((error as Dropped).cause as NodeJS.ErrnoException).code === 'ECONNREFUSED';
