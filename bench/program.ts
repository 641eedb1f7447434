import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const PROGRAM = fileURLToPath(new URL('../dist/main.js', import.meta.url));
export const TOKEN = 'bench-administrator-token-0123456789';

/** The configuration of the caller must not affect the measured program. */
export function environment(own: Record<string, string>): NodeJS.ProcessEnv {
  const foreign = /^(OCTAVO_|DATABASE_|PORT$|HOST$|NODE_)/;
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name))),
    NODE_ENV: 'production',
    OCTAVO_RATE_LIMIT: '0',
    OCTAVO_ADMIN_TOKEN: TOKEN,
    ...own,
  };
}

/** Runs a command of the program beside the server on this data; returns its JSON output and its duration. */
export async function runCommand<T>(
  data: string,
  args: readonly string[],
): Promise<{ result: T; seconds: number }> {
  const startedAt = performance.now();
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ...args, '--json'], {
    env: environment({ OCTAVO_DATA: data }),
    maxBuffer: 64 * 1024 * 1024,
  });
  return { result: JSON.parse(stdout) as T, seconds: (performance.now() - startedAt) / 1000 };
}
