import { directoryOf } from '../../links/index.ts';
import { titleFrom } from '../read/infer-outline.ts';
import { withoutExtension } from '../page-path.ts';
import { asMap, asText } from '../yaml-file.ts';
import {
  withoutNumber,
  type NavigationEntry,
  type NavigationProblem,
  type NavigationSource,
} from './entries.ts';

/** The pages of Docusaurus, by their ids and by their folders. */
export interface Docs {
  /** The page with an id: its path without numbers, or with the `id` of its frontmatter. */
  page(id: string): NavigationEntry;
  /** What Docusaurus lists for a folder: by `sidebar_position`, `_category_` files and numbers before names. */
  generated(folder: string): NavigationEntry[];
  readonly problems: readonly NavigationProblem[];
}

interface Placed {
  readonly name: string;
  readonly position: number | undefined;
  readonly entry: NavigationEntry;
}

interface Folder {
  readonly pages: string[];
  readonly folders: Map<string, Folder>;
}

const MAX_FOLDERS = 64;
const MAX_CATEGORY = 16 * 1024;
const byName = new Intl.Collator('en', { numeric: true });

export function createDocs(source: NavigationSource, base: string): Docs {
  const problems: NavigationProblem[] = [];
  const top: Folder = { pages: [], folders: new Map() };
  const ids = new Map<string, string>();
  for (const path of source.paths) {
    const parts = path.slice(base.length).split('/');
    // Files and folders with an underscore are parts of pages.
    const isHidden = parts.some((part) => /^[._]/.test(part));
    if (!path.startsWith(base) || isHidden || parts.length > MAX_FOLDERS || !source.isPage(path)) continue;
    folderAt(top, parts.slice(0, -1)).pages.push(path);
    for (const id of idsOf(path.slice(base.length), fieldOf(source.frontmatter(path), 'id')))
      if (!ids.has(id)) ids.set(id, path);
  }
  const page = (path: string): NavigationEntry => ({
    path,
    title: fieldOf(source.frontmatter(path), 'sidebar_label'),
  });
  const category = (directory: string): Readonly<Record<string, unknown>> => {
    const path = `${base}${directory}/_category_`;
    const json = source.text(`${path}.json`);
    const yaml = source.text(`${path}.yml`) ?? source.text(`${path}.yaml`);
    if (json === undefined) return categoryOf(yaml ?? '');
    try {
      return asMap(JSON.parse(json.slice(0, MAX_CATEGORY)));
    } catch {
      problems.push({ message: `${path}.json is not valid JSON` });
      return {};
    }
  };
  const list = ({ pages, folders }: Folder, directory: string, index?: string): NavigationEntry[] => {
    const placed: Placed[] = pages
      .filter((path) => path !== index)
      .map((path) => {
        const name = path.slice(path.lastIndexOf('/') + 1);
        const stated = Number.parseFloat(fieldOf(source.frontmatter(path), 'sidebar_position') ?? '');
        // The index of all comes first.
        const byFile = directory === '' && isIndex(path, '') ? -Infinity : numberOf(name);
        return { name, position: Number.isNaN(stated) ? byFile : stated, entry: page(path) };
      });
    for (const [name, folder] of folders) {
      const inside = directory === '' ? name : `${directory}/${name}`;
      const { label, position, link } = category(inside);
      const linked = asText(asMap(link)['id']);
      const at = Number.parseFloat(String(position));
      const own =
        linked === undefined
          ? folder.pages.find((path) => isIndex(path, name))
          : (ids.get(linked) ?? ids.get(`${inside}/${linked}`));
      const title = asText(label) ?? (own === undefined ? titleFrom(withoutNumber(name)) : page(own).title);
      const entry = { title, path: own, entries: list(folder, inside, own) };
      placed.push({ name, position: Number.isNaN(at) ? numberOf(name) : at, entry });
    }
    return placed
      .toSorted(
        (a, b) => (a.position ?? Infinity) - (b.position ?? Infinity) || byName.compare(a.name, b.name),
      )
      .map(({ entry }) => entry);
  };
  return {
    problems,
    page: (id) => {
      const path = ids.get(id);
      return path === undefined ? { path: `${base}${id}.md` } : page(path);
    },
    generated(directory) {
      let folder: Folder | undefined = top;
      const parts = directory.split('/').filter((part) => part !== '' && part !== '.');
      for (const part of parts) folder = folder?.folders.get(part);
      return folder === undefined ? [] : list(folder, parts.join('/'));
    },
  };
}

function folderAt(top: Folder, parts: readonly string[]): Folder {
  let folder = top;
  for (const part of parts) {
    const next: Folder = folder.folders.get(part) ?? { pages: [], folders: new Map() };
    folder.folders.set(part, next);
    folder = next;
  }
  return folder;
}

function idsOf(path: string, own: string | undefined): string[] {
  const written = withoutExtension(path);
  const plain = written.split('/').map(withoutNumber).join('/');
  const directory = directoryOf(plain);
  const stated = own === undefined ? [] : [directory === '' ? own : `${directory}/${own}`];
  return [...stated, plain, written];
}

const isIndex = (path: string, folder: string): boolean => {
  const name = withoutExtension(path.slice(path.lastIndexOf('/') + 1)).toLowerCase();
  return name === 'index' || name === 'readme' || name === folder.toLowerCase();
};

const numberOf = (name: string): number | undefined =>
  withoutNumber(name) === name ? undefined : Number.parseInt(name, 10);

/** The fields of `_category_.yml`, which are one line each. */
function categoryOf(yaml: string): Readonly<Record<string, unknown>> {
  const text = yaml.slice(0, MAX_CATEGORY);
  const id = /^[ \t]+id:[ \t]*["']?([^\r\n"'#]+)/m.exec(text)?.[1]?.trim();
  return { label: fieldOf(text, 'label'), position: fieldOf(text, 'position'), link: { id } };
}

/** A field of one line. */
function fieldOf(frontmatter: string, name: string): string | undefined {
  for (const line of frontmatter.split(/\r\n?|\n/)) {
    if (!line.startsWith(`${name}:`)) continue;
    const value = line.slice(name.length + 1).trim();
    const quoted = /^(["'])(.*)\1$/.exec(value)?.[2];
    return quoted ?? (value === '' ? undefined : value.replace(/\s#.*$/, ''));
  }
  return undefined;
}
