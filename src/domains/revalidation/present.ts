import type { RevalidationRow } from './store.ts';

export const presentRevalidation = (row: RevalidationRow | undefined, created: string | undefined) => ({
  object: 'site-revalidation' as const,
  url: row?.url,
  secret: created,
  pending: row !== undefined && row.pending.length > 0,
  lastAttempt: row?.attempted_at
    ? {
        at: row.attempted_at.toISOString(),
        status: row.status ?? undefined,
        error: row.error ?? undefined,
      }
    : undefined,
});
