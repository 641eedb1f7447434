import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';

/** A reader's browser, and what went wrong in it. */
export interface BrowserVisit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors of scripts, of the console and of the network, and violations of the Content-Security-Policy. */
  readonly problems: string[];
  /** Origins that were asked for anything. */
  readonly origins: Set<string>;
  close(): Promise<void>;
}

/** Chromium reports this if a reader goes on before the transition between two pages has begun. Nothing is wrong. */
const SKIPPED_TRANSITION = 'Transition was skipped';

export async function visitor(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserVisit> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  const page = await context.newPage();
  const problems: string[] = [];
  const origins = new Set<string>();
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('pageerror', ({ message }) => {
    if (message !== SKIPPED_TRANSITION) problems.push(message);
  });
  page.on('request', (request) => {
    if (/^https?:/.test(request.url()) && URL.canParse(request.url()))
      origins.add(new URL(request.url()).origin);
  });
  return { context, page, problems, origins, close: () => context.close() };
}
