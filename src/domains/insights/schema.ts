import Type, { type Static } from 'typebox';
import { idOf } from '../../platform/api/resource.ts';
import { listQuery, named, nullable, Timestamp } from '../../platform/api/schema.ts';
import { siteSpaces } from '../sites/index.ts';

export const RATINGS = ['bad', 'ok', 'good'] as const;
export type Rating = (typeof RATINGS)[number];

export const EVENT_TYPES = [
  'page_view',
  'search_open',
  'search_type_query',
  'search_open_result',
  'page_post_feedback',
  'page_post_feedback_comment',
  'ask_question',
  'ask_view',
  'ask_rate_response',
  'link_click',
  'api_client_open',
  'api_client_request',
  'trademark_click',
  'ad_click',
  'ad_display',
] as const;

const text = (maxLength: number) => Type.Optional(nullable(Type.String({ maxLength })));

const Event = Type.Object({
  type: Type.String({
    minLength: 1,
    maxLength: 64,
    examples: ['page_view'],
    description: 'Any type: clients of later versions of the API send others',
  }),
  session: Type.Optional(
    Type.Unsafe<object>({
      type: 'object',
      additionalProperties: true,
      description: 'Accepted, and not stored: it is about the visitor',
      examples: [
        {
          visitorId: 'none',
          sessionId: 'none',
          cookies: {},
          userAgent: 'sample',
          language: null,
          referrer: null,
        },
      ],
    }),
  ),
  location: Type.Object({
    url: Type.Optional(Type.String({ maxLength: 2048, format: 'uri' })),
    displayContext: Type.Optional(Type.String({ maxLength: 64, examples: ['site'] })),
    siteSection: text(64),
    siteSpace: Type.Optional(nullable(idOf(siteSpaces, 'view'))),
    siteShareKey: text(200),
    space: text(64),
    revision: text(64),
    page: Type.Optional(nullable(Type.String({ minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_-]+$' }))),
  }),
  timestamp: Type.Optional({
    ...Timestamp,
    description: 'Default: now. At most five minutes ago or ahead',
    examples: [undefined],
  }),
  feedback: Type.Optional(
    Type.Object({
      rating: Type.Enum([...RATINGS]),
      comment: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
    }),
  ),
});
export type Event = Static<typeof Event>;

export const NewEvents = Type.Object({ events: Type.Array(Event, { maxItems: 100 }) });

const ColumnName = Type.Enum([
  'datetime',
  'eventType',
  'page',
  'eventPageFeedbackRating',
  'eventPageFeedbackComment',
  'eventSearchQuery',
  'eventsCount',
  'pageFeedbackRating',
]);
export type ColumnName = Static<typeof ColumnName>;

const Column = Type.Object({
  column: ColumnName,
  interval: Type.Optional(
    Type.Enum(['day', 'week', 'month'], { description: 'Of `datetime`. Events are counted by day' }),
  ),
});
export type Column = Static<typeof Column>;

const Filter = Type.Object({
  column: Type.Enum(['datetime', 'eventType', 'page', 'eventPageFeedbackRating', 'eventSearchQuery']),
  operator: Type.Optional(
    Type.Enum(['in', 'notIn', 'greaterThan', 'greaterThanOrEqual', 'lessThan', 'lessThanOrEqual'], {
      description: 'Default: `in`. The comparisons are for `datetime`',
    }),
  ),
  values: Type.Array(Type.Unknown(), { minItems: 1, maxItems: 100 }),
});
export type Filter = Static<typeof Filter>;

const Range = Type.Union(
  [
    Type.Enum(['lastYear', 'last3Months', 'last30Days', 'last7Days', 'last24Hours']),
    Type.Object({ from: Timestamp, to: Timestamp }),
  ],
  { description: 'Whole days (UTC)' },
);
export type Range = Static<typeof Range>;

export const Aggregation = Type.Object(
  {
    select: Type.Optional(Type.Array(Column, { maxItems: 8 })),
    where: Type.Optional(Type.Array(Filter, { maxItems: 10 })),
    groupBy: Type.Optional(Type.Array(Column, { maxItems: 8 })),
    order: Type.Optional(Type.Object({ by: Column, direction: Type.Enum(['asc', 'desc']) })),
    range: Range,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  },
  {
    examples: [
      {
        select: [{ column: 'eventsCount' }],
        where: [{ column: 'eventType', values: ['page_view'] }],
        groupBy: [{ column: 'datetime', interval: 'day' }],
        range: 'last30Days',
      },
    ],
  },
);
export type Aggregation = Static<typeof Aggregation>;

export const AggregationResult = Type.Object({
  columns: Type.Array(
    Type.Object({
      column: ColumnName,
      values: Type.Array(Type.Unsafe<unknown>({}), { description: 'One value for each row' }),
    }),
  ),
});

const day = (description: string) =>
  Type.Optional(Type.String({ format: 'date', description, examples: [undefined] }));

const days = {
  from: day('First day (UTC); default: 30 days before the last one'),
  to: day('Last day (UTC); default: today'),
};

const PageOfSpace = Type.Object({ space: Type.String(), page: Type.String() });

export const PageStatisticsQuery = Type.Object({ ...listQuery, ...days });
export const PageStatistics = named('SitePageStatistics', {
  page: PageOfSpace,
  views: Type.Integer(),
  feedback: Type.Object({ bad: Type.Integer(), ok: Type.Integer(), good: Type.Integer() }),
});

export const SearchStatisticsQuery = Type.Object({
  ...listQuery,
  ...days,
  withoutResult: Type.Optional(
    Type.Boolean({ description: '`true`: only queries that were searched without a result' }),
  ),
});
export const SearchStatistics = named('SiteSearchStatistics', {
  query: Type.String({
    description:
      'In lower case. Empty: queries that are not stored, because they may be personal or are too many',
  }),
  searches: Type.Integer(),
  withoutResult: Type.Integer(),
});

export const FeedbackQuery = Type.Object({
  ...listQuery,
  ...days,
  rating: Type.Optional(Type.Enum([...RATINGS], { description: 'Only feedback with this rating' })),
});
export const Feedback = named('SitePageFeedback', {
  id: Type.String(),
  page: PageOfSpace,
  rating: Type.Enum([...RATINGS]),
  comment: Type.Optional(Type.String()),
  createdAt: Timestamp,
});

/** A page, where it is published. */
export interface PageOfSite {
  readonly siteId: string;
  readonly spaceId: string;
  readonly pageId: string;
}

export interface ViewCount extends PageOfSite {
  readonly day: string;
  views: number;
}

export interface SearchCount {
  readonly siteId: string;
  readonly day: string;
  readonly query: string;
  searches: number;
  failed: number;
}

export interface NewFeedback extends PageOfSite {
  readonly id: string;
  readonly rating: Rating;
  readonly comment: string | null;
  readonly createdAt: string;
}
