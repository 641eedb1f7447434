import type { Reporter, TestModule } from 'vitest/node';

/** Lists what failed after the summary, because only the end of a log may be kept. */
export class FailuresLast implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly { message: string }[]): void {
    const lines = [
      ...modules.flatMap((module) => [
        ...module.errors().map(({ message }) => `${module.relativeModuleId}: ${message}`),
        ...[...module.children.allTests('failed')].map(
          (test) =>
            `${module.relativeModuleId} > ${test.fullName}: ${test.result().errors?.[0]?.message ?? ''}`,
        ),
      ]),
      ...unhandled.map(({ message }) => `unhandled: ${message}`),
    ];
    for (const line of lines) console.error(line.slice(0, 400));
  }
}
