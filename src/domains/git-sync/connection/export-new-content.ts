import type { EventReader } from '../../events/index.ts';
import { listExporting } from './connection-store.ts';
import { startConnected } from './start-connected.ts';

/** Every merge and every edit of a connected space is exported. What was imported is in the repository already. */
export const exportNewContent: EventReader = {
  name: 'git.export',
  async read(ctx, events) {
    const revisions = events.flatMap(({ type, space_id: spaceId, data }) =>
      type === 'space_content_updated' && spaceId !== null ? [{ spaceId, revisionId: data.revisionId }] : [],
    );
    if (revisions.length === 0) return;
    for (const connection of await listExporting(ctx.db, revisions))
      await startConnected(ctx.db, connection, { direction: 'export', cause: 'content', now: ctx.now() });
  },
};
