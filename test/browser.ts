import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
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

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A headless Chromium with an empty profile of its own. Allow minutes for the first one on a fresh machine. */
export async function launchBrowser(): Promise<Browser> {
  const { path, flags } = await findBrowser();
  return chromium.launch({ executablePath: path, args: [...flags, ...FLAGS] });
}

interface Found {
  readonly path: string;
  readonly flags: readonly string[];
}

/** `CHROMIUM_PATH`, the browser in node_modules, an installed one, or (as root on Debian) one that is installed now. */
async function findBrowser(): Promise<Found> {
  const chosen = process.env['CHROMIUM_PATH'];
  if (chosen) return { path: chosen, flags: [] };
  const packaged = await packagedBrowser();
  if (packaged) return packaged;
  const path = installedBrowser() ?? (await installBrowser());
  return { path, flags: [] };
}

/** `@sparticuz/chromium` holds a program for Linux on x64 only, and no libraries: it is tried before it is used. */
async function packagedBrowser(): Promise<Found | undefined> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const { default: packaged } = await import('@sparticuz/chromium');
  packaged.setGraphicsMode = false;
  const path = await packaged.executablePath();
  const works = await run(path, ['--version']).then(Boolean, () => false);
  return works ? { path, flags: packaged.args } : undefined;
}

const installedBrowser = (): string | undefined => INSTALLED.find((path) => existsSync(path));

async function installBrowser(): Promise<string> {
  let cause: unknown;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    // Test files run side by side: the lock lets one install, the others then find what it installed.
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
