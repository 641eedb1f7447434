import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PACKAGE_ROOT } from '../../platform/version.ts';
import { newStandardSecret, standardHeaders } from '../../platform/webhooks/signatures.ts';

/** The examples of the handbook, as printed, with requests that are signed by the server. */

const handbook = readFileSync(path.join(PACKAGE_ROOT, 'docs/webhooks.md'), 'utf8');
const blockOf = (language: string): string =>
  new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'ms').exec(handbook)?.[1] ?? '';

const SECRET = newStandardSecret();
const BODY = JSON.stringify({ type: 'test', data: { text: 'Grüße' } });

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'octavo-webhooks-'));
  symlinkSync(path.join(PACKAGE_ROOT, 'node_modules'), path.join(folder, 'node_modules'));
});

afterAll(() => rmSync(folder, { recursive: true }));

interface Example {
  readonly file: string;
  readonly command: string;
  readonly program: string;
}

const EXAMPLES: readonly Example[] = [
  {
    file: 'read.mjs',
    command: process.execPath,
    program: `${blockOf('js')}
      const [body, headers] = JSON.parse(process.argv[2]);
      process.stdout.write(read(body, headers).type);`,
  },
  {
    file: 'read.py',
    command: 'python3',
    program: `${blockOf('python')}
import sys
body, headers = json.loads(sys.argv[1])
sys.stdout.write(read(body.encode(), headers)["type"])`,
  },
];

/** Not every machine has Python. */
const isInstalled = ({ command }: Example) => spawnSync(command, ['--version']).status === 0;

describe.each(EXAMPLES.filter(isInstalled))('$file', ({ file, command, program }) => {
  const read = (body: string, headers: Readonly<Record<string, string>>): string => {
    const script = path.join(folder, file);
    writeFileSync(script, program);
    return execFileSync(command, [script, JSON.stringify([body, headers])], {
      env: { ...process.env, WEBHOOK_SECRET: SECRET },
      stdio: ['ignore', 'pipe', 'ignore'],
    }).toString();
  };
  const signed = (secrets: readonly string[], at = new Date()) => standardHeaders(secrets, 'msg_1', BODY, at);

  test('reads a request, also during a rotation', () => {
    expect(read(BODY, signed([SECRET]))).toBe('test');
    expect(read(BODY, signed([newStandardSecret(), SECRET]))).toBe('test');
  });

  test('refuses another secret, another body and an old request', () => {
    expect(() => read(BODY, signed([newStandardSecret()]))).toThrow('Command failed');
    expect(() => read(`${BODY} `, signed([SECRET]))).toThrow('Command failed');
    expect(() => read(BODY, signed([SECRET], new Date(Date.now() - 600_000)))).toThrow('Command failed');
  });
});
