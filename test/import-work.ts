import { splitPage } from '../src/content-engine/folder/index.ts';
import type {
  ConvertedPage,
  ConvertInput,
  ConvertOutcome,
  NavigationItem,
} from '../src/content-engine/html/index.ts';
import { hashOf } from '../src/content-engine/map/index.ts';
import { analyse } from '../src/content-engine/markdown/index.ts';
import type { ImportLimits, ImportWork, Progress } from '../src/domains/imports/imported-folder.ts';
import { importTasks } from '../src/domains/imports/thread-tasks.ts';
import { typeOf } from '../src/platform/files/index.ts';
import { createOutbound, type OutboundOptions } from '../src/platform/outbound/index.ts';

const MB = 1024 * 1024;

export interface TestWork extends ImportWork {
  readonly progress: Progress[];
  /** The bytes of the stored files, by name. */
  readonly stored: Map<string, Uint8Array>;
}

export interface WorkOptions {
  readonly outbound?: Partial<OutboundOptions>;
  readonly limits?: Partial<ImportLimits>;
  readonly signal?: AbortSignal;
  /** From now on. */
  readonly pagesMs?: number;
  readonly filesMs?: number;
}

/** What readers are given, with a client that may reach the loopback address and a store in memory. */
export function aWork({
  outbound,
  limits,
  signal,
  pagesMs = 60_000,
  filesMs = 120_000,
}: WorkOptions = {}): TestWork {
  const progress: Progress[] = [];
  const stored = new Map<string, Uint8Array>();
  return {
    outbound: createOutbound({ allow: ['127.0.0.1:*'], ownAddresses: [], ...outbound }),
    convert: (inputs) => Promise.resolve(inputs.map(convertSimply)),
    convertDocx: importTasks.convertDocx,
    storeFile: (name, bytes) => {
      stored.set(name, bytes);
      return Promise.resolve({ hash: hashOf(bytes), size: bytes.length, contentType: typeOf(bytes, name) });
    },
    limits: {
      pages: 5000,
      textBytes: 24 * MB,
      files: 2000,
      fileBytes: 20 * MB,
      filesBytes: 512 * MB,
      ...limits,
    },
    deadline: { pagesUntil: performance.now() + pagesMs, filesUntil: performance.now() + filesMs },
    signal: signal ?? new AbortController().signal,
    report: (each) => void progress.push(each),
    progress,
    stored,
  };
}

/** Converts the pages of `aPage`: enough for tests of crawling, which need links, navigations and images. */
function convertSimply({ bytes, url, kind }: ConvertInput): ConvertOutcome {
  const text = Buffer.from(bytes).toString('utf8');
  if (text.includes('\0')) return { failure: 'The page is not text.' };
  const [navigation = '', main = text] = kind === 'html' ? text.split('<main>') : ['', text];
  const title = /<h1>(.*?)<\/h1>/s.exec(main)?.[1] ?? /^# (.*)$/m.exec(text)?.[1] ?? 'Untitled';
  const links = urlsIn(main, /<a href="([^"]*)">/g, url);
  const images = urlsIn(main, /<img src="([^"]*)"/g, url);
  const items = itemsIn(navigation, url);
  const spell = (each: string) => each.replace(/[()<>\s]/g, encodeURIComponent);
  const references = [
    ...links.map((each) => `[link](${spell(each)})`),
    ...images.map((each) => `![](${spell(each)})`),
  ];
  const markdown = `# ${title}\n\n${references.join('\n\n')}\n`;
  const canonical = /<link rel="canonical" href="([^"]*)"/.exec(text)?.[1];
  const { hrefs, sections, anchors, warnings } = analyse(splitPage(markdown).body);
  const page: ConvertedPage = {
    title,
    markdown,
    analysis: { hrefs, sections, anchors, warnings },
    navigation: items,
    links: [...new Set([...links, ...items.flatMap((item) => item.url ?? [])])],
    images,
    ...(canonical && URL.canParse(canonical, url) ? { canonical: new URL(canonical, url).href } : {}),
    generator: 'unknown',
    robots: { noIndex: /content="[^"]*noindex/.test(text), noFollow: /content="[^"]*nofollow/.test(text) },
  };
  return { page };
}

const urlsIn = (html: string, pattern: RegExp, base: string): string[] =>
  Array.from(html.matchAll(pattern), ([, href = '']) => href).flatMap((href) =>
    URL.canParse(href, base) ? [new URL(href, base).href.replace(/#.*/, '')] : [],
  );

function itemsIn(html: string, base: string): NavigationItem[] {
  const items: NavigationItem[] = [];
  let depth = 0;
  for (const [, tag = '', href, title = ''] of html.matchAll(
    /<(\/?ul|span|a)(?: href="([^"]*)")?>([^<]*)/g,
  )) {
    if (tag === 'ul') depth++;
    else if (tag === '/ul') depth--;
    else if (href === undefined) items.push({ depth, title });
    else if (URL.canParse(href, base)) items.push({ depth, title, url: new URL(href, base).href });
  }
  return items;
}
