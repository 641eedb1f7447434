import { decode, folderOf, joinPath, readAddress } from '../links/index.ts';
import { cleanTitle, MAX_DEPTH, type ComputedSource } from '../tree/index.ts';
import type { SummaryItem } from './summary.ts';
import { asMap, asText, readYaml } from './yaml.ts';

/** One page of the tree as a folder tells it, in reading order. Each stands below the last before it that is higher. */
export type Row = {
  /** 1: at the root. */
  readonly depth: number;
  /** How SUMMARY.md spells it. */
  readonly text?: string;
} & (
  | { readonly type: 'document'; readonly path: string; readonly label?: string }
  | { readonly type: 'group'; readonly title: string; readonly slug?: string }
  | { readonly type: 'link'; readonly title: string; readonly href: string }
  | { readonly type: 'computed'; readonly title: string; readonly computed: ComputedSource }
);

export interface Outline {
  readonly rows: readonly Row[];
  readonly warnings: readonly { readonly message: string; readonly line: number }[];
}

/** What SUMMARY.md says. `isPage` tells which files can be pages; each is one once. */
export function readOutline(
  items: readonly SummaryItem[],
  summary: string,
  isPage: (path: string) => boolean,
): Outline {
  const rows: Row[] = [];
  const warnings: { message: string; line: number }[] = [];
  const used = new Set<string>();
  /** Depth of the group that entries belong to, and the entries that this one may stand below. */
  let base = 0;
  let above: { readonly indent: number; readonly depth: number }[] = [];
  for (const item of items) {
    if (item.kind === 'group' || item.kind === 'divider') {
      above = [];
      const row = item.kind === 'group' ? groupRow(item) : undefined;
      base = row === undefined ? 0 : 1;
      if (row !== undefined) rows.push(row);
      continue;
    }
    while ((above.at(-1)?.indent ?? -1) >= item.indent) above.pop();
    const parent = above.at(-1)?.depth ?? base;
    const row = item.kind === 'computed' ? computedRow(item.yaml) : entryRow(item, summary, isPage, used);
    if (typeof row === 'string') warnings.push({ message: row, line: item.line });
    else rows.push({ ...row, depth: parent + 1, text: item.text });
    // What cannot hold pages leaves those below it to the page above.
    const holds = typeof row !== 'string' && row.type === 'document' && parent + 1 < MAX_DEPTH;
    above.push({ indent: item.indent, depth: holds ? parent + 1 : parent });
  }
  return { rows, warnings };
}

function groupRow({ title, slug, text }: Extract<SummaryItem, { kind: 'group' }>): Row {
  const row = { depth: 1, type: 'group', title: cleanTitle(title) ?? 'Untitled', text } as const;
  return slug === undefined ? row : { ...row, slug };
}

type Bare = Row extends infer R ? (R extends unknown ? Omit<R, 'depth' | 'text'> : never) : never;

/** A row, or why there is none. */
function entryRow(
  { title, href, label }: Extract<SummaryItem, { kind: 'entry' }>,
  summary: string,
  isPage: (path: string) => boolean,
  used: Set<string>,
): Bare | string {
  if (href === undefined) return `“${title}” leads nowhere`;
  const name = cleanTitle(label ?? title);
  const address = readAddress(href);
  const link = { type: 'link', title: name ?? cleanTitle(href) ?? 'Untitled', href } as const;
  if (address === undefined || address.suffix.includes('#')) return link;
  const dir = folderOf(summary);
  const paths = [decode(address.path), address.path].flatMap((path) => {
    const joined = joinPath(dir, path);
    if (joined === undefined || address.path === '') return [];
    return [joined, `${joined}.md`, joined === '' ? 'README.md' : `${joined}/README.md`];
  });
  const path = paths.find(isPage);
  if (path === undefined) return /\.md$|^$/i.test(address.path) ? `There is no ${href}` : link;
  if (used.has(path)) return link;
  used.add(path);
  return { type: 'document', path, ...(name === undefined ? {} : { label: name }) };
}

function computedRow(yaml: string): Bare | string {
  const { value, problem } = readYaml(yaml);
  const { type, props, dependencies, title } = asMap(value);
  if (problem !== undefined || typeof type !== 'string') return problem ?? 'Computed pages need a type';
  const computed = {
    type,
    ...(props === undefined ? {} : { props: asMap(props) }),
    ...(dependencies === undefined ? {} : { dependencies: asMap(dependencies) }),
  };
  return { type: 'computed', title: cleanTitle(asText(title) ?? '') ?? computedTitle(computed), computed };
}

/** What computed pages are called when nothing says it: as the specification they come from. */
export function computedTitle({ type, dependencies }: ComputedSource): string {
  const spec = asText(asMap(asMap(asMap(dependencies)['spec'])['ref'])['spec']);
  return cleanTitle(spec ?? '') ?? cleanTitle(type) ?? 'Untitled';
}
