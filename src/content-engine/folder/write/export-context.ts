import { hrefReplacements, movedHrefs, type PathMapping } from '../../links/index.ts';
import { hrefsOf, rewriteHrefs } from '../../markdown/index.ts';
import type { Hash } from '../../map/index.ts';
import {
  findFolder,
  findPage,
  fromBlob,
  isOutOfLine,
  pathsIn,
  withoutExpansions,
  type DocumentPage,
  type Inline,
  type ReusableContentRecord,
  type SourceText,
  type Tree,
} from '../../tree/index.ts';
import { readConfiguration, type Configuration } from '../configuration.ts';
import { withReadmePage } from './readme-page.ts';
import { exportPaths } from './export-paths.ts';

/** The state of an export. */
export interface ExportContext extends PathMapping {
  /** A body or an out-of-line value. Called only for the records that are being written. */
  readonly textOf: (hash: Hash) => string;
  /** Whether the file of a page has a title, for pages whose body decides it (`dependsOnBody`). */
  readonly ownTitles: Map<string, boolean>;
  readonly paths: ReadonlyMap<string, string>;
  readonly configuration: Configuration;
}

/** A record whose file has a body. */
export type BodyRecord = DocumentPage | ReusableContentRecord;

export function newExport(original: Tree, textOf: (hash: Hash) => string): ExportContext {
  const own = withoutExpansions(original);
  const tree = withReadmePage(own);
  const paths = exportPaths(tree);
  // Links to pages that are generated again lead to where their files would be.
  const { fileOf } = pathsIn(original);
  const configuration = findFolder(tree)?.configuration;
  const ids = new Map<string, string>();
  for (const [id, path] of paths) ids.set(path, id);
  return {
    tree,
    textOf,
    ownTitles: new Map(),
    paths,
    idAt: (path) => ids.get(path),
    pathOf: (id) => paths.get(id) ?? (own === original ? undefined : fileOf(id)),
    knowsIds: false,
    keepsSlugs: tree === own,
    configuration: readConfiguration(configuration && valueOf(textOf, configuration.text)),
  };
}

/** Whether this file is a page. */
export const isPageIn = ({ tree, idAt }: ExportContext, path: string): boolean =>
  findPage(tree, idAt(path) ?? '')?.type === 'document';

const valueOf = <T extends object | string>(textOf: ExportContext['textOf'], value: Inline<T>): T =>
  isOutOfLine(value) ? fromBlob<T>(textOf(value.hash)) : value;

export const loadInline = <T extends object | string>({ textOf }: ExportContext, value: Inline<T>): T =>
  valueOf(textOf, value);

export const loadText = (context: ExportContext, source: SourceText | undefined): string | undefined =>
  source === undefined ? undefined : loadInline(context, source.text);

/** The links of a body that have to change in order to resolve in the folder. Only then is the body parsed. */
function movedLinks(context: ExportContext, { id, links }: BodyRecord): ReadonlyMap<string, string> {
  if (links === undefined) return new Map();
  return movedHrefs(context.tree, id, loadInline(context, links), context);
}

/** The body with links that resolve in the folder. */
export function exportBody(context: ExportContext, record: BodyRecord): string {
  const body = context.textOf(record.document);
  const moved = movedLinks(context, record);
  return moved.size === 0 ? body : rewriteHrefs(body, hrefReplacements(hrefsOf(body), moved));
}
