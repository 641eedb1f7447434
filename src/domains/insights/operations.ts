import { on, operation } from '../../platform/api/operation.ts';
import { presentList } from '../../platform/api/pagination.ts';
import { listOf } from '../../platform/api/schema.ts';
import { SitePath, sites, siteSpaces } from '../sites/index.ts';
import { aggregateEvents } from './aggregate.ts';
import { daysOfQuery } from './days.ts';
import { presentFeedback, presentPageStatistics, presentSearchStatistics } from './present.ts';
import { recordEvents } from './record-events.ts';
import * as schema from './schema.ts';
import * as store from './store.ts';

const mayOnSite = on(sites);

export const trackEventsInSiteById = operation({
  method: 'POST',
  path: '/v1/orgs/{organizationId}/sites/{siteId}/insights/events',
  summary: 'Record events of readers of a site',
  description:
    'Counts `page_view`, `page_post_feedback` and `page_post_feedback_comment` of pages of a site space; accepts and ignores other types. Nothing about the visitor is stored.',
  scope: 'site:write',
  params: SitePath,
  body: schema.NewEvents,
  status: 204,
  access: mayOnSite('view'),
  handle: async ({ ctx, target, body, refs }) =>
    recordEvents(body.events, {
      buffer: ctx.caches.insights,
      siteId: target.site_id,
      spaceOf: (id) => refs.of(siteSpaces, id).space_id,
      now: ctx.now(),
    }),
});

export const aggregateSiteEvents = operation({
  method: 'POST',
  isReadOnly: true,
  takesTurn: true,
  path: '/v1/orgs/{organizationId}/sites/{siteId}/insights/events/aggregate',
  summary: 'Get aggregated events of readers of a site',
  description:
    'Supports the columns that do not identify visitors. Events are counted by day (UTC), and are visible some seconds later.',
  scope: 'site:insights:read',
  params: SitePath,
  body: schema.Aggregation,
  status: 200,
  response: schema.AggregationResult,
  access: mayOnSite('admin'),
  handle: ({ ctx, target, body }) => aggregateEvents(ctx.db, target.site_id, body, ctx.now()),
});

export const listSitePageStatistics = operation({
  method: 'GET',
  path: '/v1/orgs/{organizationId}/sites/{siteId}/insights/pages',
  summary: 'List views and ratings of the pages of a site',
  description: 'Most viewed first.',
  scope: 'site:insights:read',
  params: SitePath,
  query: schema.PageStatisticsQuery,
  status: 200,
  response: listOf(schema.PageStatistics),
  access: mayOnSite('admin'),
  handle: async ({ ctx, target, query, page }) => {
    const days = { siteId: target.site_id, ...daysOfQuery(query, ctx.now()) };
    return presentList(await store.listPageStatistics(ctx.db, days, page), presentPageStatistics);
  },
});

export const listSiteSearchStatistics = operation({
  method: 'GET',
  path: '/v1/orgs/{organizationId}/sites/{siteId}/insights/searches',
  summary: 'List what readers of a site searched for',
  description: 'Those without a result first.',
  scope: 'site:insights:read',
  params: SitePath,
  query: schema.SearchStatisticsQuery,
  status: 200,
  response: listOf(schema.SearchStatistics),
  access: mayOnSite('admin'),
  handle: async ({ ctx, target, query, page }) => {
    const days = { siteId: target.site_id, ...daysOfQuery(query, ctx.now()) };
    const found = await store.listSearchStatistics(ctx.db, days, query.withoutResult ?? false, page);
    return presentList(found, presentSearchStatistics);
  },
});

export const listSitePageFeedback = operation({
  method: 'GET',
  path: '/v1/orgs/{organizationId}/sites/{siteId}/insights/feedback',
  summary: 'List the feedback on the pages of a site',
  description: 'Latest first.',
  scope: 'site:insights:read',
  params: SitePath,
  query: schema.FeedbackQuery,
  status: 200,
  response: listOf(schema.Feedback),
  access: mayOnSite('admin'),
  handle: async ({ ctx, target, query, page }) => {
    const days = { siteId: target.site_id, ...daysOfQuery(query, ctx.now()) };
    return presentList(await store.listFeedback(ctx.db, days, query.rating, page), presentFeedback);
  },
});
