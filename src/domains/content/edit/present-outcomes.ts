import { findFile, type Outcome } from '../../../content-engine/tree/index.ts';
import type { Addresses, Context } from '../../../platform/api/context.ts';
import type { AppliedBatch, Edited } from './apply-batch.ts';
import { presentFile, type ContentRow } from '../../revisions/index.ts';

export const presentEdited = (ctx: Context, row: ContentRow, { revisionId, ...edited }: Edited) => ({
  revision: revisionId,
  ...presentOutcomes(ctx, row, `/v1/spaces/${row.space_id}/content`, edited),
});

/** The outcome of a batch. `prefix`: where its entries can be read. */
export function presentOutcomes(
  { addresses, keys }: Context,
  row: ContentRow,
  prefix: string,
  { applied, warnings }: Pick<AppliedBatch, 'applied' | 'warnings'>,
) {
  const shown = { row, tree: applied.tree, addresses, keys, computed: true };
  const files = applied.outcomes.flatMap(({ did, kind, id }) =>
    did === 'created' && kind === 'file' ? [findFile(applied.tree, id)] : [],
  );
  return {
    changes: applied.outcomes.map((outcome) => presentOutcome(outcome, prefix, addresses)),
    insertedFiles: files.flatMap((file) => (file ? [presentFile(shown, file)] : [])),
    warnings: warnings.map(({ index, warning: { kind, message, start, end } }) => ({
      change: index,
      kind,
      message,
      start,
      end,
    })),
  };
}

function presentOutcome({ did, kind, id, ref }: Outcome, prefix: string, addresses: Addresses) {
  const name = kind.replaceAll('-', '_') as 'page';
  const object = `${did}_${name}` as const;
  const folder = kind === 'page' ? 'page' : 'reusable-contents';
  const location = addresses.of(`${prefix}/${folder}/${id}`);
  const named = did === 'deleted' ? id : { object: kind, id, urls: { location } };
  switch (kind) {
    case 'page':
      return { object, ref, page: named };
    case 'reusable-content':
      return { object, ref, reusableContent: named };
    case 'file':
      return { object, ref, file: id };
    default:
      return { object };
  }
}
