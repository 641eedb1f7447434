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
    // Of 12,000 tests on a machine that others share, one is unlucky now and then. CI lists it and goes on: it is a defect to
    // mend, of the test or of the product, and no reason to refuse the change that met it.
    retry: process.env['CI'] ? 1 : 0,
    // For what hangs. No test waits for time to pass on a machine that is merely slow.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 100_000 } },
  },
});
