import { execFile } from 'node:child_process';
import { parseArgs, promisify } from 'node:util';
import { BROWSER_FLAGS, findBrowser } from '../test/browser.ts';
import { createApi } from './api.ts';
import { cleanUpOnExit, createCleanup } from './cleanup.ts';
import { startServer, temporaryFolder } from './server.ts';

/**
 * Lighthouse over the pages of the handbook that a new installation publishes, in the browser of the tests. Lighthouse is
 * no dependency: with its 117 packages it takes 180 MB, so npm fetches this version when the command is run.
 */
const LIGHTHOUSE = 'lighthouse@12.8.2';

/** Percent. Performance depends on the machine and is reported only; a lower value of the others is a failure. */
const TARGETS = { performance: 99, accessibility: 100, 'best-practices': 100, seo: 100 } as const;
type Category = keyof typeof TARGETS;

interface Report {
  readonly runtimeError?: { readonly message: string };
  readonly categories: Readonly<
    Record<Category, { readonly score: number | null; readonly auditRefs: readonly AuditRef[] }>
  >;
  readonly audits: Readonly<
    Record<string, { readonly score: number | null; readonly numericValue?: number; readonly title: string }>
  >;
}

interface AuditRef {
  readonly id: string;
  readonly weight: number;
}

const { values: options } = parseArgs({
  options: { pages: { type: 'string' }, desktop: { type: 'boolean', default: false } },
});

const cleanup = createCleanup();

/** Whether every page reaches the targets that do not depend on the machine. */
async function measurePages(): Promise<boolean> {
  const browser = await findBrowser();
  const server = await startServer(cleanup, { folder: temporaryFolder(cleanup), cache: 'on' });
  const sitemap = (await createApi(server).bytesOf({ path: '/handbook/sitemap.xml' })).toString('utf8');
  const paths = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => new URL(url ?? '').pathname);
  if (paths.length === 0) throw new Error('The handbook has no pages.');
  process.stdout.write(
    `${['perf.', 'access.', 'pract.', 'SEO', 'CLS'].map((name) => name.padStart(8)).join('')}\n`,
  );
  let isReached = true;
  for (const path of paths.slice(0, Number(options.pages ?? paths.length))) {
    const report = await reportOf(browser, server.url + path);
    const misses = missesOf(report);
    const scores = Object.keys(TARGETS).map((category) => scoreOf(report, category as Category));
    const figures = [...scores.map(String), shiftOf(report).toFixed(3)].map((figure) => figure.padStart(8));
    process.stdout.write(`${figures.join('')}  ${path}\n${misses.map((miss) => `  ${miss}\n`).join('')}`);
    isReached &&= scores.slice(1).every((score) => score === 100) && shiftOf(report) === 0;
  }
  return isReached;
}

const scoreOf = ({ categories }: Report, category: Category): number =>
  Math.round((categories[category].score ?? 0) * 100);

const shiftOf = ({ audits }: Report): number => audits['cumulative-layout-shift']?.numericValue ?? Number.NaN;

/** The audits that lower a score below its target. */
const missesOf = (report: Report): string[] =>
  (Object.keys(TARGETS) as Category[])
    .filter((category) => scoreOf(report, category) < TARGETS[category])
    .flatMap((category) =>
      report.categories[category].auditRefs
        .filter(({ id, weight }) => weight > 0 && (report.audits[id]?.score ?? 1) < 1)
        .map(({ id }) => `${category}: ${id}: ${report.audits[id]?.title}`),
    );

async function reportOf(browser: string, url: string): Promise<Report> {
  const args = ['exec', '--yes', `--package=${LIGHTHOUSE}`, '--', 'lighthouse', url];
  const settings = [
    '--quiet',
    '--output=json',
    '--no-enable-error-reporting',
    `--chrome-flags=${BROWSER_FLAGS.join(' ')}`,
  ];
  const { stdout } = await promisify(execFile)(
    'npm',
    [...args, ...settings, ...(options.desktop ? ['--preset=desktop'] : [])],
    { env: { ...process.env, CHROME_PATH: browser }, maxBuffer: 64 * 1024 * 1024 },
  );
  const report = JSON.parse(stdout) as Report;
  if (report.runtimeError) throw new Error(`${url}: ${report.runtimeError.message}`);
  return report;
}

cleanUpOnExit(cleanup);
try {
  process.exitCode = (await measurePages()) ? 0 : 1;
} finally {
  await cleanup.run();
}
