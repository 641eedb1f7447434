import { decode, isExternal, joinPath } from '../../links/index.ts';
import type { Navigation, NavigationEntry, NavigationSource } from './entries.ts';

const ENTRY = /^([ \t]*)(?:[-*+][ \t]+)?\[((?:\\.|[^\\\]])*)\]\(([^()]*)\)[ \t]*$/;
const PART = /^#[ \t](.*)$/;
const MAX_LINE = 4096;
/** Deeper entries are beside each other. */
const MAX_INDENT = 200;

/** The chapters of `SUMMARY.md` in the folder that `book.toml` names: `src`. */
export function readMdBook({ text }: NavigationSource, root: string): Navigation | undefined {
  const settings = text(`${root}book.toml`);
  if (settings === undefined) return undefined;
  const named = /^src[ \t]*=[ \t]*["']([^"'\r\n]+)["']/m.exec(settings)?.[1];
  const src = joinPath('', `${root}${named ?? 'src'}`) ?? '';
  const file = joinPath(src, 'SUMMARY.md') ?? '';
  const summary = text(file);
  if (summary === undefined)
    return { file: `${root}book.toml`, entries: [], problems: [{ message: `There is no ${file}` }] };
  return { file, entries: chaptersOf(summary, src), problems: [] };
}

interface Open extends NavigationEntry {
  readonly indent: number;
  readonly entries: Open[];
}

/** A part contains the chapters below its heading. The first heading is the title of the book. */
function chaptersOf(summary: string, src: string): NavigationEntry[] {
  const root: Open = { indent: -2, entries: [] };
  let open: Open[] = [root];
  let hasEntries = false;
  for (const line of summary.split(/\r\n?|\n/)) {
    const part = line.length > MAX_LINE ? undefined : PART.exec(line)?.[1];
    if (part !== undefined && hasEntries) {
      const group = { indent: -1, title: part.trim(), entries: [] };
      root.entries.push(group);
      open = [root, group];
    }
    const [, before, title = '', written = ''] = (line.length > MAX_LINE ? null : ENTRY.exec(line)) ?? [];
    if (before === undefined) continue;
    hasEntries = true;
    const target = written.trim().replace(/^<|>$/g, '');
    const width = [...before].reduce((sum, char) => sum + (char === '\t' ? 4 : 1), 0);
    const indent = Math.min(width, MAX_INDENT);
    while ((open.at(-1)?.indent ?? -2) >= indent) open.pop();
    const place = isExternal(target)
      ? { href: target }
      : target === ''
        ? {}
        : { path: joinPath(src, decode(target)) ?? target };
    const entry = {
      indent,
      title: title.replace(/\\(.)/g, '$1').replace(/[`*]/g, ''),
      ...place,
      entries: [],
    };
    (open.at(-1) ?? root).entries.push(entry);
    open.push(entry);
  }
  return root.entries;
}
