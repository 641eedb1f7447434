import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Sample } from './api.ts';
import { stopChild } from './child.ts';
import type { Cleanup } from './cleanup.ts';

/** A response as a message has it: the body in base64. */
export type Imitated = Omit<Sample, 'body'> & { readonly body: string };

export interface BareServer {
  readonly url: string;
  readonly pid: number;
  /** Sets the response to further requests. */
  imitate(answer: Sample): Promise<void>;
}

export async function startBareServer(cleanup: Cleanup): Promise<BareServer> {
  let child: ChildProcess | undefined;
  cleanup.add(async () => child && stopChild(child));
  child = fork(new URL('bare-server.ts', import.meta.url), { detached: true });
  const [port] = (await once(child, 'message')) as [number];
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    async imitate(answer) {
      const ready = once(child, 'message');
      child.send({ ...answer, body: answer.body.toString('base64') } satisfies Imitated);
      await ready;
    },
  };
}
