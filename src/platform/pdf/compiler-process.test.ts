import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createCompilerProcess, type CompilerThread } from './compiler-process.ts';

const compile = (thread: CompilerThread, main: string) =>
  thread.ask({ compile: { main, labels: [], firstPage: 1, files: new Map(), missing: [] } });

it('compiles in another process, which ends when it is idle', async () => {
  const compiler = createCompilerProcess(50);
  expect(compiler.pid).toBeUndefined();
  const thread = compiler.startThread();
  const { pid } = compiler;
  expect(pid).not.toBe(process.pid);
  expect(await compile(thread, 'Text')).toMatchObject({ pages: 1 });
  thread.close();
  while (isRunning(pid)) await delay(20);
  expect(compiler.pid).toBeUndefined();

  const next = compiler.startThread();
  expect(await compile(next, 'Text')).toMatchObject({ pages: 1 });
  next.close();
});

it('fails what it does when it is killed, and starts again', async () => {
  const compiler = createCompilerProcess();
  const thread = compiler.startThread();
  const compiled = compile(thread, '#{ for x in range(100000) { for y in range(100000) { } } }');
  process.kill(compiler.pid ?? 0, 'SIGKILL');
  await expect(compiled).rejects.toThrow('SIGKILL');
  await expect(compile(thread, 'Text')).rejects.toThrow('SIGKILL');
  thread.close();

  const next = compiler.startThread();
  expect(await compile(next, 'Text')).toMatchObject({ pages: 1 });
  next.close();
});

it('ends one of two threads without the other', async () => {
  const compiler = createCompilerProcess();
  const [endless, other] = [compiler.startThread(), compiler.startThread()];
  const never = compile(endless, '#{ for x in range(100000) { for y in range(100000) { } } }');
  never.catch(() => undefined);
  endless.close();
  expect(await compile(other, 'Text')).toMatchObject({ pages: 1 });
  other.close();
});

function isRunning(pid: number | undefined): boolean {
  try {
    return process.kill(pid ?? 0, 0);
  } catch {
    return false;
  }
}
