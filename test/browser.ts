import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { promisify } from 'node:util';
import { chromium, type Browser } from 'playwright-core';

const run = promisify(execFile);

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Not the flags that `@sparticuz/chromium` suggests: they disable the same-origin policy, which the tests are about. */
export const BROWSER_FLAGS = [
  '--headless',
  '--no-sandbox',
  '--no-zygote',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A timeout for hangs only: by default, Playwright waits 30 s. */
const HANG_TIMEOUT = 120_000;

/** A headless Chromium with its own empty profile. Allow minutes for the first one on a fresh machine. */
export async function launchBrowser(flags: readonly string[] = []): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: await findBrowser(),
    args: [...BROWSER_FLAGS, ...flags],
  });
  return browser.on('context', (context) => context.setDefaultTimeout(HANG_TIMEOUT));
}

/** `CHROMIUM_PATH`, the browser in node_modules, an installed one, or (as root on Debian) one that is installed now. */
export const findBrowser = async (): Promise<string> =>
  process.env['CHROMIUM_PATH'] || ((await packagedBrowser()) ?? installedBrowser() ?? installBrowser());

/** `@sparticuz/chromium` contains a binary for Linux on x64 only, and no libraries: it is tried before it is used. */
async function packagedBrowser(): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const { TMPDIR, TMPDIR_OF_BROWSER = tmpdir() } = process.env;
  process.env['TMPDIR'] = TMPDIR_OF_BROWSER;
  const { default: packaged } = await import('@sparticuz/chromium');
  packaged.setGraphicsMode = false;
  const path = await packaged.executablePath();
  if (TMPDIR === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = TMPDIR;
  const works = await run(path, ['--version']).then(Boolean, () => false);
  return works ? path : undefined;
}

const installedBrowser = (): string | undefined => INSTALLED.find((path) => existsSync(path));

async function installBrowser(): Promise<string> {
  let cause: unknown;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    // Test files run concurrently: the lock lets one install; the others then find the installed browser.
    const lock = '/tmp/octavo-install-chromium.lock';
    await run('flock', [lock, 'sh', '-c', INSTALL], { maxBuffer: 2 ** 26 }).catch(
      (error: unknown) => (cause = error),
    );
    const path = installedBrowser();
    if (path) return path;
  }
  throw new Error(
    'No browser for the tests. Install Chromium (Debian, Ubuntu: `apt-get install chromium`) or set CHROMIUM_PATH to one.',
    { cause },
  );
}

const INSTALL =
  'test -x /usr/bin/chromium || { export DEBIAN_FRONTEND=noninteractive; apt-get -q update; ' +
  'apt-get -q -y -o DPkg::Lock::Timeout=300 install --no-install-recommends chromium fonts-dejavu-core; }';
