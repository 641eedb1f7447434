import type { Rating } from './schema.ts';
import type { PageStatisticsRow, SearchStatisticsRow } from './store.ts';

export const presentPageStatistics = (row: PageStatisticsRow) => ({
  page: { space: row.space_id, page: row.page_id },
  views: row.views,
  feedback: { bad: row.bad, ok: row.ok, good: row.good },
});

export const presentSearchStatistics = (row: SearchStatisticsRow) => ({
  query: row.query,
  searches: row.searches,
  withoutResult: row.failed,
});

interface FeedbackRow {
  readonly id: string;
  readonly space_id: string;
  readonly page_id: string;
  readonly rating: string;
  readonly comment: string | null;
  readonly created_at: Date;
}

export const presentFeedback = (row: FeedbackRow) => ({
  id: row.id,
  page: { space: row.space_id, page: row.page_id },
  rating: row.rating as Rating,
  comment: row.comment ?? undefined,
  createdAt: row.created_at.toISOString(),
});
