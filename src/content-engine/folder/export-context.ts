import { hrefReplacements, movedHrefs, type PathMapping } from '../links/index.ts';
import { eachInSteps } from '../in-steps.ts';
import { runToEnd } from '../run-to-end.ts';
import { analyse, rewriteHrefs } from '../markdown/index.ts';
import type { Hash } from '../map/index.ts';
import {
  findFolder,
  findPage,
  fromBlob,
  isOutOfLine,
  type Inline,
  type LinkTable,
  type SourceText,
  type Tree,
} from '../tree/index.ts';
import { readConfiguration, type Configuration } from './configuration.ts';
import { withReadmePage } from './readme-page.ts';
import { exportPathsInSteps } from './export-paths.ts';

/** The state of an export. */
export interface ExportContext extends PathMapping {
  /** A body or an out-of-line value. */
  readonly textOf: (hash: Hash) => string;
  readonly paths: ReadonlyMap<string, string>;
  readonly configuration: Configuration;
}

export const newExport = (original: Tree, textOf: (hash: Hash) => string): ExportContext =>
  runToEnd(newExportInSteps(original, textOf));

export function* newExportInSteps(
  original: Tree,
  textOf: (hash: Hash) => string,
): Generator<void, ExportContext, void> {
  const tree = withReadmePage(original);
  const paths = yield* exportPathsInSteps(tree);
  const configuration = findFolder(tree)?.configuration;
  const ids = new Map<string, string>();
  yield* eachInSteps(paths, ([id, path]) => ids.set(path, id));
  return {
    tree,
    textOf,
    paths,
    idAt: (path) => ids.get(path),
    pathOf: (id) => paths.get(id),
    knowsIds: false,
    keepsSlugs: tree === original,
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

/** The body with links that resolve in the folder. Parsed only if a link has to change. */
export function exportBody(
  context: ExportContext,
  {
    id,
    document,
    links,
  }: { readonly id: string; readonly document: Hash; readonly links?: Inline<LinkTable> },
): string {
  const body = context.textOf(document);
  const moved =
    links === undefined ? undefined : movedHrefs(context.tree, id, loadInline(context, links), context);
  if (moved === undefined || moved.size === 0) return body;
  return rewriteHrefs(body, hrefReplacements(analyse(body).hrefs, moved));
}
