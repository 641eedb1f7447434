import { movedHrefs, respelled, type Folder } from '../links/index.ts';
import { analyse, rewriteHrefs } from '../markdown/index.ts';
import type { Hash } from '../map/index.ts';
import {
  findFolder,
  findPage,
  fromBlob,
  isElsewhere,
  type Inline,
  type LinkTable,
  type SourceText,
  type Tree,
} from '../tree/index.ts';
import { readConfiguration, type Configuration } from './configuration.ts';
import { asFolder } from './readme-page.ts';
import { exportPaths } from './export-paths.ts';

/** A folder while it is written. */
export interface Writing extends Folder {
  /** A body, or a value that was too long for its record. */
  readonly textOf: (hash: Hash) => string;
  readonly paths: ReadonlyMap<string, string>;
  readonly configuration: Configuration;
}

export function newWriting(given: Tree, textOf: (hash: Hash) => string): Writing {
  const tree = asFolder(given);
  const paths = exportPaths(tree);
  const configuration = findFolder(tree)?.configuration;
  const ids = new Map(Array.from(paths, ([id, path]) => [path, id]));
  return {
    tree,
    textOf,
    paths,
    idAt: (path) => ids.get(path),
    pathOf: (id) => paths.get(id),
    knowsIds: false,
    keepsSlugs: tree === given,
    configuration: readConfiguration(configuration && valueOf(textOf, configuration.text)),
  };
}

/** Whether a page is written to this file. */
export const isPageIn = ({ tree, idAt }: Writing, path: string): boolean =>
  findPage(tree, idAt(path) ?? '')?.type === 'document';

const valueOf = <T extends object | string>(textOf: Writing['textOf'], value: Inline<T>): T =>
  isElsewhere(value) ? fromBlob<T>(textOf(value.hash)) : value;

export const loaded = <T extends object | string>({ textOf }: Writing, value: Inline<T>): T =>
  valueOf(textOf, value);

export const loadedText = (writing: Writing, source: SourceText | undefined): string | undefined =>
  source === undefined ? undefined : loaded(writing, source.text);

/** The body with its links as they lead in the folder. Read only if one of them has to change. */
export function writtenBody(
  writing: Writing,
  {
    id,
    document,
    links,
  }: { readonly id: string; readonly document: Hash; readonly links?: Inline<LinkTable> },
): string {
  const body = writing.textOf(document);
  const moved =
    links === undefined ? undefined : movedHrefs(writing.tree, id, loaded(writing, links), writing);
  if (moved === undefined || moved.size === 0) return body;
  return rewriteHrefs(body, respelled(analyse(body).hrefs, moved));
}
