import { defineConfig } from 'vitest/config';
import { FailuresLast } from './test/failures-last.ts';

export default defineConfig({
  test: {
    environment: 'node',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/setup.ts'],
    reporters: ['default', new FailuresLast()],
    setupFiles: ['test/each-file.ts'],
    // Importing the program for every file would take two of eight minutes.
    isolate: false,
    pool: 'forks',
    maxWorkers: 2,
    // A second run of a file does not compile again what has not changed.
    experimental: { fsModuleCache: true },
    // For what hangs. No test waits for time to pass on a machine that is merely slow.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 100_000 } },
  },
});
