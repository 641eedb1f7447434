import { readRows } from '../../platform/access/read-rows.ts';
import type { Context } from '../../platform/api/context.ts';
import type { Page } from '../../platform/api/pagination.ts';
import { spaces, type SpaceRow } from './policy.ts';
import type { ListedSpace } from './read-store.ts';

/** The rows of listed spaces, with the counts of the list. Spaces that were deleted meanwhile are left out. */
export async function withRows(ctx: Context, page: Page<ListedSpace>): Promise<Page<SpaceRow>> {
  const rows = await readRows(
    ctx,
    spaces,
    page.rows.map(({ space_id: id }) => id),
  );
  return {
    ...page,
    rows: page.rows.flatMap((listed) => {
      const row = rows.get(listed.space_id);
      return row ? { ...row, ...listed } : [];
    }),
  };
}
