import type { EventName, EventPayloads } from '../../events/index.ts';

/**
 * What the event is about: the space or the site that contains it, or the specification. Deliveries about it are in order.
 * The action on it that the event requires: that of reading the same over the API.
 */
type Subject =
  | { readonly about: 'space'; readonly action: 'view' | 'triggerGitSync' }
  | { readonly about: 'site'; readonly action: 'view' | 'admin' }
  | { readonly about: 'specification'; readonly action: 'view' };

/** What subscriptions receive of a type of event, and who may receive it. */
type Published = Subject & {
  /** The members of the payload that are sent: ids and states, never content. */
  readonly members: readonly string[];
  /** The event has deleted it, so that no URL leads to it. */
  readonly deleted?: 'comment' | 'commentReply';
};

type PublishedAs<Name extends EventName> = Published & {
  readonly members: readonly (keyof EventPayloads[Name] & string)[];
};

const COMMENT = ['commentId', 'changeRequestId', 'userId'] as const;
const REPLY = [...COMMENT, 'commentReplyId'] as const;
const GIT_SYNC = ['operationId', 'direction', 'revisionId', 'commitId'] as const;
const ofSpace = { about: 'space', action: 'view' } as const;
const IMPORT = ['importRunId', 'changeRequestId', 'userId'] as const;
const ofGitSync = { about: 'space', action: 'triggerGitSync' } as const;

/** Every event of the platform: a new one does not compile until it is decided here what of it is sent, and to whom. */
export const PUBLISHED_EVENTS: { readonly [Name in EventName]: PublishedAs<Name> } = {
  space_content_updated: { ...ofSpace, members: ['revisionId', 'previousRevisionId'] },
  space_visibility_updated: { ...ofSpace, members: ['previousVisibility', 'visibility'] },
  space_transferred: { ...ofSpace, members: [] },
  space_restored: { ...ofSpace, members: [] },
  space_gitsync_started: { ...ofGitSync, members: GIT_SYNC },
  space_gitsync_completed: { ...ofGitSync, members: [...GIT_SYNC, 'state'] },
  site_changed: { about: 'site', action: 'view', members: ['siteId'] },
  // Its text is read over the API.
  page_feedback: { about: 'site', action: 'admin', members: ['siteId', 'pageId', 'rating'] },
  openapi_spec_updated: { about: 'specification', action: 'view', members: ['slug'] },
  change_request_created: { ...ofSpace, members: ['changeRequestId', 'userId'] },
  change_request_content_updated: {
    ...ofSpace,
    members: ['changeRequestId', 'revisionId', 'previousRevisionId'],
  },
  change_request_status_changed: { ...ofSpace, members: ['changeRequestId', 'from', 'to', 'userId'] },
  change_request_reviewers_requested: { ...ofSpace, members: ['changeRequestId', 'userIds', 'requestedBy'] },
  change_request_reviewed: { ...ofSpace, members: ['changeRequestId', 'reviewId', 'status', 'reviewerId'] },
  change_request_merged: { ...ofSpace, members: ['changeRequestId', 'revisionId', 'mergedBy'] },
  comment_posted: { ...ofSpace, members: COMMENT },
  comment_updated: { ...ofSpace, members: COMMENT },
  comment_resolved: { ...ofSpace, members: COMMENT },
  comment_reopened: { ...ofSpace, members: COMMENT },
  comment_deleted: { ...ofSpace, members: COMMENT, deleted: 'comment' },
  comment_reply_posted: { ...ofSpace, members: REPLY },
  comment_reply_updated: { ...ofSpace, members: REPLY },
  comment_reply_deleted: { ...ofSpace, members: REPLY, deleted: 'commentReply' },
  import_completed: { ...ofSpace, members: IMPORT },
  import_failed: { ...ofSpace, members: IMPORT },
};

export const EVENT_TYPES = Object.keys(PUBLISHED_EVENTS) as EventName[];

/** The type of the message that the owner of a subscription asks for. */
export const TEST = 'test';

/** Undefined: a test, or an event of a newer version. */
export const publishedEvent = (type: string): Published | undefined =>
  Object.hasOwn(PUBLISHED_EVENTS, type) ? PUBLISHED_EVENTS[type as EventName] : undefined;
