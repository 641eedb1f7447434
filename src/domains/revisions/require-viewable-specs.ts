import { readSpecEntry } from '../../content-engine/computed/index.ts';
import type { Load } from '../../content-engine/map/index.ts';
import type { Tree } from '../../content-engine/tree/index.ts';
import { forbidden } from '../../platform/api/errors.ts';
import {
  factsReader,
  findWithBody,
  withTexts,
  type Analyses,
  type Content,
  type StorageContext,
  type WithBody,
} from '../content-store/index.ts';
import type { BodyFacts } from '../link-index/index.ts';
import { mayViewSpecs } from './store.ts';

type Edit = Content & { readonly analyses?: Analyses | undefined };

/**
 * What a space shows of a specification, it shows to all who read the space. So an author who may not view the specifications
 * of the organization, as a guest or an installation, adds none to a page; those that the page shows already stay.
 */
export async function requireViewableSpecs(
  ctx: StorageContext,
  load: Load,
  spaceId: string,
  authorId: string,
  before: Tree,
  { changed, tree, texts, analyses = new Map() }: Edit,
): Promise<void> {
  const factsOf = factsReader(ctx, withTexts(load, texts));
  const edited = [...changed.keys()].filter((id) => hasOtherSources(before, tree, id));
  const shown = await specsIn(tree, edited, (record) => analyses.get(record.document) ?? factsOf(record));
  if (shown.size === 0 || (await mayViewSpecs(ctx.db, spaceId, authorId))) return;
  const already = await specsIn(before, edited, factsOf);
  for (const spec of shown) {
    if (already.has(spec)) continue;
    throw forbidden(
      `You may not view the OpenAPI specifications of this organization, and so not show ${spec} in a page. Ask a member of the organization to add it.`,
    );
  }
}

const hasOtherSources = (before: Tree, after: Tree, id: string): boolean =>
  entryOf(before, id) !== entryOf(after, id) ||
  findWithBody(before, id)?.document !== findWithBody(after, id)?.document;

function entryOf(tree: Tree, id: string): string | undefined {
  const record = tree.records.get(id);
  return record?.kind === 'page' && record.type === 'computed'
    ? readSpecEntry(record.computed)?.spec
    : undefined;
}

/** Names and URLs of the specifications that entries show. */
async function specsIn(
  tree: Tree,
  ids: readonly string[],
  factsOf: (record: WithBody) => Pick<BodyFacts, 'specs'> | Promise<BodyFacts>,
): Promise<Set<string>> {
  const specs = new Set<string>();
  for (const id of ids) {
    const entry = entryOf(tree, id);
    if (entry !== undefined) specs.add(entry);
    const record = findWithBody(tree, id);
    const shown = record ? (await factsOf(record)).specs : [];
    for (const spec of shown) specs.add(spec);
  }
  return specs;
}
