/**
 * Event names and their payloads. Databases contain events that older versions wrote, and processes of two versions may
 * share one database: add names and members, but never rename or remove them.
 */
export interface EventPayloads {
  space_content_updated: NewContent;
  /** Recorded by a trigger of `spaces`. */
  space_visibility_updated: { readonly previousVisibility: string; readonly visibility: string };
  /** Recorded by a trigger of `spaces`, in the organization to which it was transferred. */
  space_transferred: Empty;
  /** It was deleted. Recorded by a trigger of `spaces`. */
  space_restored: Empty;
  /** Recorded by triggers of `sites` and `spaces`, for sites with a revalidation hook or a webhook. */
  site_changed: { readonly siteId: string };
  /** Recorded by a trigger of `site_feedback`, where an integration or a webhook receives it. */
  page_feedback: {
    readonly siteId: string;
    readonly pageId: string;
    readonly rating: 'bad' | 'ok' | 'good';
    readonly comment?: string;
  };
  /** A specification has a new version. */
  openapi_spec_updated: { readonly slug: string };
  space_gitsync_started: GitSync;
  space_gitsync_completed: GitSync & { readonly state: 'success' | 'failure' };
  change_request_created: {
    readonly changeRequestId: string;
    readonly userId: string | null;
  };
  change_request_content_updated: NewContent & { readonly changeRequestId: string };
  change_request_status_changed: {
    readonly changeRequestId: string;
    readonly from: ChangeRequestStatus;
    readonly to: ChangeRequestStatus;
    readonly userId: string;
  };
  change_request_reviewers_requested: {
    readonly changeRequestId: string;
    readonly userIds: readonly string[];
    readonly requestedBy: string;
  };
  change_request_reviewed: {
    readonly changeRequestId: string;
    readonly reviewId: string;
    readonly status: 'approved' | 'changes-requested';
    readonly reviewerId: string;
  };
  change_request_merged: {
    readonly changeRequestId: string;
    readonly revisionId: string;
    readonly mergedBy: string;
  };
  comment_posted: AboutComment;
  comment_updated: AboutComment;
  comment_resolved: AboutComment;
  comment_reopened: AboutComment;
  comment_deleted: AboutComment;
  comment_reply_posted: AboutReply;
  comment_reply_updated: AboutReply;
  comment_reply_deleted: AboutReply;
  import_completed: AboutImport;
  import_failed: AboutImport;
}

type Empty = Readonly<Record<never, never>>;

interface GitSync {
  readonly operationId: string;
  readonly direction: 'import' | 'export';
  /** Null: unknown, or there is none. */
  readonly revisionId: string | null;
  readonly commitId: string | null;
}

interface NewContent {
  readonly revisionId: string;
  readonly previousRevisionId: string;
}

export type ChangeRequestStatus = 'draft' | 'open' | 'archived' | 'merged';

interface AboutComment {
  readonly commentId: string;
  /** Null: the comment is on the space. */
  readonly changeRequestId: string | null;
  /** The user who posted or changed it. */
  readonly userId: string | null;
}

interface AboutReply extends AboutComment {
  readonly commentReplyId: string;
}

/** An import in the background. */
interface AboutImport {
  readonly importRunId: string;
  /** Null: it imports into the space. */
  readonly changeRequestId: string | null;
  /** The user who started it. */
  readonly userId: string | null;
}

export type EventName = keyof EventPayloads;

/** `Rest` with the name and the payload of each event: comparing `type` narrows `data`. */
type OfEach<Rest> = {
  readonly [Name in EventName]: Rest & { readonly type: Name; readonly data: EventPayloads[Name] };
}[EventName];

export type NewEvent = OfEach<{ readonly organizationId: string; readonly spaceId: string }>;

/** A stored event. A newer version may have written a type that is not listed here. */
export type EventRow = OfEach<{
  /** A later event under the same lock has a higher id. */
  readonly id: number;
  readonly sequence: number;
  readonly organization_id: string;
  readonly space_id: string | null;
  readonly at: Date;
}>;

export type EventOf<Name extends EventName> = Extract<EventRow, { readonly type: Name }>;
