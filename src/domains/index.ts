import type { Caches } from '../platform/api/context.ts';
import type { ConstraintMessages } from '../platform/http/answer/error-response.ts';
import type { Page } from '../platform/http/pages/page.ts';
import type { Job } from '../platform/jobs/job.ts';
import type { NamedOperation, Operation } from '../platform/api/operation.ts';
import { createSharedWork } from '../platform/shared-work.ts';
import * as adaptiveSchema from './adaptive-schema/operations.ts';
import * as changeRequestContent from './change-requests/content-operations.ts';
import * as changeRequestMerge from './change-requests/merge/merge-operations.ts';
import * as changeRequests from './change-requests/operations.ts';
import * as collections from './collections/operations.ts';
import { createBlockCache } from './comments/index.ts';
import * as comments from './comments/operations.ts';
import { downloadPage } from './content/files/download.ts';
import { collectContent, foldStorage, copyTransferred } from './content/garbage-collection/jobs.ts';
import { followSpecs } from './computed-pages/follow-changes.ts';
import { expandPages } from './computed-pages/jobs.ts';
import * as content from './content/operations.ts';
import { uploadPage } from './content/files/upload.ts';
import { checkHostnames } from './custom-hostnames/jobs.ts';
import * as customHostnames from './custom-hostnames/operations.ts';
import * as customization from './customization/operations.ts';
import { followAnchors } from './comments/anchors/follow-anchors.ts';
import type { EventReader } from './events/index.ts';
import { purgeEvents } from './events/jobs.ts';
import * as invites from './invites/operations.ts';
import { forgetMailCounts, sendInvite } from './invites/jobs.ts';
import { acceptInvitePage, invitePage } from './invites/web-page.ts';
import { createImportCounters, createImportQueue } from './imports/index.ts';
import * as importRuns from './imports/runs/operations.ts';
import * as imports from './imports/operations.ts';
import { purgeGitOperations, runGitOperations } from './git-sync/operations/jobs.ts';
import { exportNewContent } from './git-sync/connection/export-new-content.ts';
import * as gitOperations from './git-sync/operations/operations.ts';
import { pollRepositories } from './git-sync/connection/poll.ts';
import * as gitSync from './git-sync/connection/operations.ts';
import { webhookPage } from './git-sync/connection/webhook.ts';
import { purgeImportRuns, runImports } from './imports/runs/jobs.ts';
import { InsightsBuffer } from './insights/index.ts';
import { purgeInsights } from './insights/jobs.ts';
import * as insights from './insights/operations.ts';
import { createRequestLinkCache } from './links/index.ts';
import { checkExternalLinks } from './links/check/jobs.ts';
import { deliverIntegrationEvent, purgeIntegrationEvents } from './integrations/events/jobs.ts';
import { followForIntegrations } from './integrations/events/follow-events.ts';
import * as integrationEvents from './integrations/events/operations.ts';
import * as installations from './integrations/installations/operations.ts';
import { finerScopes } from './integrations/index.ts';
import * as siteInstallations from './integrations/installations/site-operations.ts';
import * as spaceInstallations from './integrations/installations/space-operations.ts';
import * as integrations from './integrations/operations.ts';
import { integrationEndpointPages, integrationImagePage } from './integrations/web-page.ts';
import * as links from './links/operations.ts';
import * as requestLinks from './links/request-operations.ts';
import * as members from './members/operations.ts';
import { readSpecs } from './openapi-specs/jobs.ts';
import * as openapiSpecs from './openapi-specs/operations.ts';
import { publishedPage, versionPage } from './openapi-specs/web-page.ts';
import { notifyUsers } from './notifications/notify-users.ts';
import { purgeNotifications, sendNotifications } from './notifications/jobs.ts';
import * as notifications from './notifications/operations.ts';
import { stopNotificationsPage, unsubscribePage } from './notifications/web-page.ts';
import * as organizations from './organizations/operations.ts';
import { purgePdfs } from './pdfs/jobs.ts';
import * as pdfs from './pdfs/operations.ts';
import { pdfPage } from './pdfs/web-page.ts';
import * as permissions from './permissions/operations.ts';
import * as publishedContent from './published-content/operations.ts';
import { visitorAccess } from './published-content/visitor-operations/index.ts';
import * as publishing from './publishing/operations.ts';
import * as redirects from './redirects/operations.ts';
import { createSpecificationFileCache } from './openapi-specs/index.ts';
import { createStorageCaches } from './content-store/index.ts';
import { createGitBlobCache, createRevisionAnswerCache } from './revisions/index.ts';
import * as revisions from './revisions/operations.ts';
import { mergeSegments } from './search-index/jobs.ts';
import * as search from './search/operations.ts';
import { followSiteChanges } from './revalidation/follow-changes.ts';
import { revalidateSite } from './revalidation/jobs.ts';
import * as revalidation from './revalidation/operations.ts';
import * as reviews from './reviews/operations.ts';
import * as sitePermissions from './sites/permissions/operations.ts';
import * as sites from './sites/operations.ts';
import * as shareLinks from './sites/share-links/operations.ts';
import * as siteSearch from './sites/search-operations.ts';
import * as siteSectionGroups from './sites/structure/group-operations.ts';
import * as siteSections from './sites/structure/section-operations.ts';
import * as siteSpaces from './sites/structure/site-space-operations.ts';
import * as siteStructure from './sites/structure/operations.ts';
import * as spaceCollections from './spaces/collection-operations.ts';
import { foldSpaceTallies, purgeSpaces } from './spaces/jobs.ts';
import * as spaces from './spaces/operations.ts';
import * as system from './system/operations.ts';
import { appPage } from './system/web-page.ts';
import { purgeIdempotencyKeys } from './system/jobs.ts';
import * as teams from './teams/operations.ts';
import * as users from './users/operations.ts';
import { avatarPage } from './users/web-page.ts';
import { deliverWebhooks, wakeWebhooks } from './webhooks/delivery/jobs.ts';
import * as webhookDeliveries from './webhooks/delivery-operations.ts';
import { enqueueWebhooks } from './webhooks/enqueue-webhooks.ts';
import { purgeWebhookDeliveries } from './webhooks/jobs.ts';
import * as webhooks from './webhooks/operations.ts';

/** The resources, in the order in which they may depend on each other. */
const slices: readonly (readonly [folder: string, exported: Record<string, Operation>])[] = [
  ['system', system],
  ['users', users],
  ['organizations', organizations],
  ['members', members],
  ['teams', teams],
  ['invites', invites],
  ['openapi-specs', openapiSpecs],
  ['collections', collections],
  ['spaces', spaces],
  ['spaces', spaceCollections],
  ['permissions', permissions],
  ['search', search],
  ['revisions', revisions],
  ['content', content],
  ['change-requests', changeRequests],
  ['change-requests', changeRequestContent],
  ['change-requests', changeRequestMerge],
  ['imports', imports],
  ['imports', importRuns],
  ['links', links],
  ['links', requestLinks],
  ['pdfs', pdfs],
  ['comments', comments],
  ['reviews', reviews],
  ['sites', sites],
  ['sites', siteStructure],
  ['sites', siteSections],
  ['sites', siteSectionGroups],
  ['sites', siteSpaces],
  ['sites', shareLinks],
  ['sites', sitePermissions],
  ['sites', siteSearch],
  ['customization', customization],
  ['redirects', redirects],
  ['publishing', publishing],
  ['adaptive-schema', adaptiveSchema],
  ['custom-hostnames', customHostnames],
  ['insights', insights],
  ['revalidation', revalidation],
  ['published-content', publishedContent],
  ['integrations', integrations],
  ['integrations', installations],
  ['integrations', spaceInstallations],
  ['integrations', siteInstallations],
  ['integrations', integrationEvents],
  ['git-sync', gitOperations],
  ['git-sync', gitSync],
  ['notifications', notifications],
  ['webhooks', webhooks],
  ['webhooks', webhookDeliveries],
];

const scopesOfInstallations = finerScopes();

export const operations: readonly NamedOperation[] = slices.flatMap(([folder, exported]) =>
  Object.entries(exported).map(([id, operation]) => {
    const finer = scopesOfInstallations.get(id);
    return { ...operation, id, folder, ...(finer && { finerScopes: finer }) };
  }),
);

/** The operations that visitors of published sites may call. */
export { visitorAccess };

export const pages: readonly Page[] = [
  appPage,
  avatarPage,
  invitePage,
  acceptInvitePage,
  downloadPage,
  uploadPage,
  pdfPage,
  webhookPage,
  versionPage,
  publishedPage,
  unsubscribePage,
  stopNotificationsPage,
  integrationImagePage,
  ...integrationEndpointPages,
];

export const jobs: readonly Job[] = [
  purgeIdempotencyKeys,
  sendInvite,
  forgetMailCounts,
  purgeSpaces,
  foldSpaceTallies,
  collectContent,
  foldStorage,
  copyTransferred,
  purgeEvents,
  mergeSegments,
  purgePdfs,
  runImports,
  purgeImportRuns,
  runGitOperations,
  purgeGitOperations,
  pollRepositories,
  checkExternalLinks,
  checkHostnames,
  purgeInsights,
  revalidateSite,
  readSpecs,
  sendNotifications,
  purgeNotifications,
  deliverWebhooks,
  wakeWebhooks,
  purgeWebhookDeliveries,
  deliverIntegrationEvent,
  purgeIntegrationEvents,
  expandPages,
] as readonly Job[];

export const eventReaders: readonly EventReader[] = [
  followAnchors,
  exportNewContent,
  followSiteChanges,
  notifyUsers,
  enqueueWebhooks,
  followForIntegrations,
  followSpecs,
];

/** The caches of slices, each declared where it is used. Built by each app, so that two in one process share nothing. */
export const createSliceCaches = (): Omit<Caches, 'sites'> => ({
  ...createStorageCaches(),
  revisionAnswers: createRevisionAnswerCache(),
  gitBlobs: createGitBlobCache(),
  specificationFiles: createSpecificationFileCache(),
  commentedBlocks: createBlockCache(),
  requestLinks: createRequestLinkCache(),
  runningPdfs: createSharedWork(),
  importQueue: createImportQueue(),
  importCounters: createImportCounters(),
  insights: new InsightsBuffer(),
});

/** Messages for violated constraints of the database. */
export const constraints: ConstraintMessages = {
  organizations_hostname_unique: 'This hostname is already in use. Choose another.',
  sites_basename_unique: 'Another site has this basename. Choose another.',
  site_sections_path_unique: 'Another section of the site has this path. Choose another.',
  site_spaces_path_unique: 'Another site space of the section has this path. Choose another.',
  site_redirects_source_unique:
    'The site already has a redirect from this source. Update that one, or choose another source.',
  custom_hostnames_active_unique: 'This hostname is in use by another site.',
  sites_hostname_unique: 'This hostname is in use by another site.',
  organization_keeps_an_admin: 'An organization needs at least one admin. Make another member admin first.',
};
