import { parse, type DefaultTreeAdapterTypes } from 'parse5';
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core';
import { visitor } from './visit.ts';

/** Finds what runs, or could run, in pages with hostile text. */

/** Elements that no page has. */
const FORBIDDEN_ELEMENTS = new Set([
  'object', 'embed', 'applet', 'base', 'portal', 'fencedframe', 'frame', 'frameset', 'marquee', 'xmp', 'isindex', 'noscript', 'foreignobject', 'animate', 'set',
]); // prettier-ignore
const FORBIDDEN_ATTRIBUTE = /^(on.*|style|srcdoc|srcset|ping|formaction|background)$/i;
const URL_ATTRIBUTE = /^(href|src|action|data|poster|xlink:href)$/i;
/** And the frame of diagrams. */
const FRAME =
  /^\/[\w-]+\/~octavo\/diagram$|^https:\/\/(www\.youtube-nocookie\.com|player\.vimeo\.com|www\.loom\.com|codepen\.io|codesandbox\.io|stackblitz\.com|open\.spotify\.com|embed\.figma\.com)\//;

type Element = DefaultTreeAdapterTypes.Element;
type Parent = DefaultTreeAdapterTypes.ParentNode;

/** What of a document could run, now or when a reader clicks, hovers or types. A document has two scripts and one style. */
export function activeIn(html: string): string[] {
  const found: string[] = [];
  const counts = { script: 0, style: 0 };
  const visit = (parent: Parent): void => {
    for (const child of parent.childNodes) {
      if (!('tagName' in child)) continue;
      if (child.tagName in counts) counts[child.tagName as keyof typeof counts] += 1;
      found.push(...activePartsOf(child));
      visit('content' in child ? (child as DefaultTreeAdapterTypes.Template).content : child);
    }
  };
  visit(parse(html));
  if (counts.script !== 2 || counts.style !== 1)
    found.push(`${counts.script} scripts, ${counts.style} styles instead of two and one`);
  return found;
}

function activePartsOf({ tagName, attrs }: Element): string[] {
  const attribute = (name: string): string => attrs.find((each) => each.name === name)?.value ?? '';
  const found: string[] = [];
  if (FORBIDDEN_ELEMENTS.has(tagName.toLowerCase())) found.push(`<${tagName}>`);
  if (tagName === 'meta' && attribute('http-equiv') !== '')
    found.push(`<meta http-equiv=${attribute('http-equiv')}>`);
  if (
    tagName === 'script' &&
    attrs.length > 0 &&
    !/\/~octavo\/assets\/reader\.\w+\.js$/.test(attribute('src'))
  )
    found.push(`<script src=${attribute('src')}>`);
  if (tagName === 'form' && !/^\/(?!\/)/.test(attribute('action')))
    found.push(`<form action=${attribute('action')}>`);
  if (tagName === 'iframe' && !FRAME.test(attribute('src'))) found.push(`<iframe src=${attribute('src')}>`);
  for (const { name, value, prefix } of attrs) {
    const whole = prefix ? `${prefix}:${name}` : name;
    if (FORBIDDEN_ATTRIBUTE.test(whole)) found.push(`<${tagName} ${whole}="${value}">`);
    if (!URL_ATTRIBUTE.test(whole) || isInertUrl(value)) continue;
    const isFavicon = attribute('rel') === 'icon' && value.startsWith('data:image/svg+xml,');
    if (!isFavicon) found.push(`<${tagName} ${whole}="${value}">`);
  }
  return found;
}

/** A URL that only navigates, or that no browser can parse. */
function isInertUrl(url: string): boolean {
  const base = 'https://site.example/page';
  return !URL.canParse(url, base) || /^(https?|mailto|tel):$/.test(new URL(url, base).protocol);
}

/**
 * Runs at the start of every document and frame. Records calls of what the payloads call, and what the policy refuses. A
 * picture without encryption is no script: the policy refuses it on purpose.
 */
const WATCH = `
  window.ran = [];
  for (const name of ['alert', 'confirm', 'prompt', 'print', 'msgbox']) window[name] = (...args) => { ran.push(name + '(' + args + ')'); };
  window.watchPolicy = () => document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
    if (violatedDirective !== 'img-src' || !blockedURI.startsWith('http:') || blockedURI.startsWith(location.origin)) ran.push('refused: ' + violatedDirective + ' ' + blockedURI + ' ' + sample);
  });
  watchPolicy();
`;

/**
 * Loads documents side by side, each in a frame of the page; returns what ran in each. A frame costs more than its document:
 * it is written again if nothing ran in it, and keeps its window then, but not the listeners.
 */
const LOAD_IN_FRAMES = `async (documents) => {
  window.cleanFrames ??= [];
  const loaded = await Promise.all(documents.map((html) => new Promise((resolve) => {
    const cleanFrame = cleanFrames.pop();
    const frame = cleanFrame ?? document.createElement('iframe');
    frame.addEventListener('load', () => resolve(frame), { once: true });
    if (cleanFrame) {
      const written = frame.contentDocument.open();
      frame.contentWindow.watchPolicy();
      written.write(html);
      written.close();
    } else {
      frame.srcdoc = html;
      document.body.append(frame);
    }
  })));
  await new Promise((resolve) => setTimeout(resolve, 50));
  return loaded.map((frame) => {
    let ran;
    try { ran = frame.contentWindow.ran ?? ['not watched']; } catch { ran = ['navigated']; }
    if (ran.length === 0) cleanFrames.push(frame);
    else frame.remove();
    return ran;
  });
}`;

export interface Watched {
  readonly page: Page;
  /** Requests for anything but pictures and media, to other hosts. */
  readonly requests: string[];
  close(): Promise<void>;
}

/** A browser page that records what runs, with the policy of the site or without. */
export async function watched(browser: Browser, origin: string, bypassCSP: boolean): Promise<Watched> {
  const { page, context, close } = await visitor(browser, { bypassCSP });
  const requests: string[] = [];
  await watch(context);
  page.on('dialog', (dialog) => void dialog.dismiss());
  page.on('request', (request) => {
    const isPicture = ['image', 'media'].includes(request.resourceType());
    if (/^https?:/.test(request.url()) && !request.url().startsWith(`${origin}/`) && !isPicture)
      requests.push(`${request.resourceType()} ${request.url()}`);
  });
  return { page, requests, close };
}

const watch = (context: BrowserContext): Promise<unknown> => context.addInitScript(WATCH);

/** What ran in a frame of a page. */
export const ranIn = (frame: Frame | Page): Promise<string[]> => frame.evaluate('ran') as Promise<string[]>;

const BATCH = 60;

/** Our own style sheet, fonts and script: pages that are opened by their address have them. */
const ASSETS = /<link rel="(?:stylesheet|preload)"[^>]*>|<script src="[^"]*" defer><\/script>/g;

/** Loads documents, in frames of a page of the site; returns what ran, by the number of the document. */
export async function ranInFrames(page: Page, documents: readonly string[]): Promise<Map<number, string[]>> {
  const found = new Map<number, string[]>();
  for (let start = 0; start < documents.length; start += BATCH) {
    const batch = JSON.stringify(
      documents.slice(start, start + BATCH).map((html) => html.replaceAll(ASSETS, '')),
    );
    const ran = (await page.evaluate(`(${LOAD_IN_FRAMES})(${batch})`)) as string[][];
    for (const [n, each] of ran.entries()) if (each.length > 0) found.set(start + n, each);
  }
  return found;
}
