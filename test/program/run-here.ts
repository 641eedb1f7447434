import { runCommand } from '../../src/commands/run-command.ts';
import type { Ended, Environment } from './program.ts';
import { splitStderr, variablesOf } from './program.ts';

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** Runs a command as `runProgram` does, but in the process of the test: a process for each takes ten times as long. */
export async function runHere(args: readonly string[], env: Environment): Promise<Ended> {
  let stdout = '';
  let stderr = '';
  const outer = process.env;
  const listeners = SIGNALS.map((signal) => process.listeners(signal));
  process.env = variablesOf(env);
  try {
    const code = await runCommand(args, {
      stdout: { write: (text) => (stdout += text) },
      stderr: { write: (text) => (stderr += text) },
    });
    return { code, stdout, ...splitStderr(stderr) };
  } finally {
    process.env = outer;
    // Of the command, which expects that its process ends.
    for (const [n, signal] of SIGNALS.entries())
      for (const listener of process.listeners(signal))
        if (!listeners[n]?.includes(listener)) process.off(signal, listener);
  }
}
