import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** Lists what failed, or failed at first, after the summary, because only the end of a log may be kept. */
export class FailuresLast implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly { message: string }[]): void {
    const unstable = modules
      .flatMap((module) => [...module.children.allTests('passed')])
      .filter((test) => test.diagnostic()?.flaky);
    const lines = [
      ...unstable.map((test) => `UNSTABLE, passed when it ran again: ${describeTest(test)}`),
      ...modules.flatMap((module) => [
        ...module.errors().map(({ message }) => `${module.relativeModuleId}: ${message}`),
        ...[...module.children.allTests('failed')].map(describeTest),
      ]),
      ...unhandled.map(({ message }) => `unhandled: ${message}`),
    ];
    for (const line of lines) console.error(line.slice(0, 400));
  }
}

const describeTest = (test: TestCase): string =>
  `${test.module.relativeModuleId} > ${test.fullName}: ${test.result().errors?.[0]?.message ?? ''}`;
