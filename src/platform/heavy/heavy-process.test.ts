import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { createHeavyProcesses } from './heavy-process.ts';

/** Its first process ends before it listens. */
const PROGRAM = `
import { existsSync, writeFileSync } from 'node:fs';
const [started] = process.argv.slice(2);
if (!existsSync(started)) {
  writeFileSync(started, '');
  process.exit(1);
}
process.send({ type: 'listening' });
process.on('message', (message) => message === 'stop' && process.exit());
`;

test('a request that waits for a process that never listens is performed by the next one', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'octavo-heavy-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = path.join(folder, 'program.mjs');
  writeFileSync(program, PROGRAM);
  const heavy = createHeavyProcesses(1, {
    program,
    arguments: [path.join(folder, 'started')],
    memoryMb: 500,
    log: pino({ enabled: false }),
  });
  onTestFinished(() => heavy.stop());
  heavy.start(async () => undefined);
  expect(await heavy.perform(async () => 'performed')).toBe('performed');
});
