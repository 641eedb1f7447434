import { createSpace } from './space.ts';
import { attack, type Received, type Response, type Victim } from './victim.ts';

/** One row of hostile requests. */
export interface Attack {
  readonly name: string;
  run(victim: Victim): Promise<readonly Response[]>;
}

export const MB = 2 ** 20;
export const fill = (text: string, size: number): string =>
  text.repeat(Math.ceil(size / text.length)).slice(0, size);

export const refused = ({ status }: Received): Response => ({ isExpected: status >= 400 && status < 500 });
/** Must succeed, with a response that is not many times the size of the request. */
export const succeeded = ({ status, bytes }: Received): Response => ({
  isExpected: status === 200 && bytes < MB,
});
/** May succeed or be refused. */
export const completed = ({ status }: Received): Response => ({ isExpected: status >= 200 && status < 500 });

export const batchOf = (...bodies: readonly string[]): string =>
  JSON.stringify({
    changes: bodies.map((markdown, index) => ({
      operation: 'insert_page',
      title: `Page ${index}`,
      document: { markdown },
    })),
  });

export const insertPages = async ({ api, server }: Victim, ...bodies: readonly string[]): Promise<Received> =>
  attack(server, { path: `/v1/spaces/${await createSpace(api)}/content`, body: batchOf(...bodies) });

export const times = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_each, index) => make(index)));

/** Distinct pseudo-random words. */
export function words(count: number, seed: number, alphabet = 'abcdefghijklmnopqrstuvwxyz'): string {
  let state = seed;
  const next = (): number => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0);
  const letter = (): string => alphabet[(next() >>> 16) % alphabet.length] ?? 'a';
  return Array.from({ length: count }, () => Array.from({ length: 6 }, letter).join('')).join(' ');
}
