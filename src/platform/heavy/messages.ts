/** Messages between the front and the heavy process, on the channel that Node opens for a child. */

export type FromHeavy =
  | { readonly type: 'listening' }
  /** Sent every second: its absence says that the event loop is blocked. `jobs`: how many are running. */
  | { readonly type: 'alive'; readonly jobs: number }
  /** The id under which its jobs are locked: if the process is lost, the front releases them. */
  | { readonly type: 'worker'; readonly id: string };

/** `run jobs`: not before the requests that an earlier process was lost with were tried alone. */
export type ToHeavy = 'run jobs' | 'stop';

export const ALIVE_MS = 1_000;
