import type { Socket } from 'node:net';
import type pg from 'pg';

type Client = typeof pg.Client;

/** Sockets of TLS have it, too. */
const bytesReadOf = (stream: pg.Connection['stream']): number => (stream as Partial<Socket>).bytesRead ?? 0;

export interface Interruptible {
  readonly Client: Client;
  /** Bytes that the open connections have received. */
  bytesReceived(): number;
  /** Ends every connection and refuses new ones with this error, until `resume`. */
  interrupt(reason: Error): void;
  resume(): void;
}

/** Connections that can be ended together. Alone, each waits for a database that hangs until its own time limit. */
export function interruptible(Base: Client): Interruptible {
  const open = new Set<pg.Client>();
  let refusal: Error | undefined;

  class InterruptibleClient extends Base {
    // oxlint-disable-next-line typescript/no-explicit-any -- pg's `connect` has two overloads; pools pass a callback
    override connect(callback?: any): any {
      if (refusal) return callback ? process.nextTick(callback, refusal) : Promise.reject(refusal);
      open.add(this);
      this.once('end', () => open.delete(this));
      return super.connect(callback);
    }
  }

  return {
    Client: InterruptibleClient,
    bytesReceived: () => [...open].reduce((sum, { connection }) => sum + bytesReadOf(connection.stream), 0),
    interrupt(reason) {
      refusal = reason;
      for (const client of open) client.connection.stream.destroy();
    },
    resume: () => void (refusal = undefined),
  };
}
