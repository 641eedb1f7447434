import type { Database } from '../../platform/database/connection.ts';
import type { EventOf, EventRow } from '../events/index.ts';
import { mentionedUsers } from './mail/comment-text.ts';
import * as people from './people-store.ts';
import type { Kind } from './policy.ts';
import type { Occurrence } from './store.ts';

/** Something that happened, and why each of these users is told. */
export interface Told {
  readonly what: Occurrence;
  readonly reasons: ReadonlyMap<string, Reason>;
}

/** Why a person gets a mail: its last paragraph says so. */
export type Reason =
  | 'requested'
  | 'author'
  | 'requester'
  | 'mentioned'
  | 'thread'
  | 'reviewer'
  | 'synchronizes'
  | 'admin'
  | 'started';

/** Of a space whose connection has no user any more. */
const MAX_ADMINS = 3;

type Candidate = readonly [userId: string | null | undefined, reason: Reason];
type Subject = Omit<Occurrence, 'kind' | 'space_id'>;

/** What an event tells to whom. Nothing is told to the user who did it. */
export async function findRecipients(db: Database, event: EventRow): Promise<Told[]> {
  const { space_id: spaceId } = event;
  if (spaceId === null) return [];
  const told = (kind: Kind, subject: Subject, candidates: readonly Candidate[]): Told => ({
    what: { ...subject, kind, space_id: spaceId },
    reasons: reasonsOf(candidates, subject.actor_id),
  });
  switch (event.type) {
    case 'change_request_reviewers_requested': {
      const { changeRequestId: id, requestedBy, userIds } = event.data;
      const candidates = userIds.map((userId): Candidate => [userId, 'requested']);
      return [told('reviewRequested', ofRequest(id, id, requestedBy), candidates)];
    }
    case 'change_request_reviewed': {
      const { changeRequestId: id, reviewId, reviewerId } = event.data;
      const request = await people.findPeopleOfRequest(db, id);
      const requester = await people.findRequester(db, reviewId);
      return [
        told('reviewSubmitted', ofRequest(id, reviewId, reviewerId), [
          [request?.author_id, 'author'],
          [requester, 'requester'],
        ]),
      ];
    }
    case 'change_request_merged': {
      const { changeRequestId: id, mergedBy } = event.data;
      const request = await people.findPeopleOfRequest(db, id);
      const reviewers = request?.reviewers.map((userId): Candidate => [userId, 'reviewer']) ?? [];
      const candidates: Candidate[] = [[request?.author_id, 'author'], ...reviewers];
      return [told('changeRequestMerged', ofRequest(id, id, mergedBy), candidates)];
    }
    case 'comment_posted':
    case 'comment_updated':
    case 'comment_reply_posted':
    case 'comment_reply_updated':
      return (await findReaders(db, event)).map(([kind, subject, candidates]) =>
        told(kind, subject, candidates),
      );
    case 'space_gitsync_completed': {
      const { operationId } = event.data;
      const subject = { actor_id: null, change_request_id: null, comment_id: null, subject_id: operationId };
      return [told('gitSyncFailed', subject, await findSynchronizers(db, spaceId, event))];
    }
    case 'import_completed':
    case 'import_failed': {
      const { importRunId, changeRequestId, userId } = event.data;
      const subject = { actor_id: null, change_request_id: changeRequestId, comment_id: null };
      return [told('importFinished', { ...subject, subject_id: importRunId }, [[userId, 'started']])];
    }
    default:
      return [];
  }
}

/** The first reason of each person. */
function reasonsOf(candidates: readonly Candidate[], actorId: string | null): Map<string, Reason> {
  const reasons = new Map<string, Reason>();
  for (const [userId, reason] of candidates)
    if (userId && userId !== actorId && !reasons.has(userId)) reasons.set(userId, reason);
  return reasons;
}

const ofRequest = (id: string, subjectId: string, actorId: string): Subject => ({
  actor_id: actorId,
  change_request_id: id,
  comment_id: null,
  subject_id: subjectId,
});

type CommentEvent = EventOf<
  'comment_posted' | 'comment_updated' | 'comment_reply_posted' | 'comment_reply_updated'
>;

/**
 * Who is told of a comment or reply. In this order: a person who is told already is not told again (a unique index). Of an
 * edit, those whom it mentions.
 */
async function findReaders(
  db: Database,
  event: CommentEvent,
): Promise<[Kind, Subject, readonly Candidate[]][]> {
  const { commentId, changeRequestId, userId } = event.data;
  const postedId = 'commentReplyId' in event.data ? event.data.commentReplyId : commentId;
  const posted = await people.findPosted(db, postedId);
  if (!posted) return [];
  const subject: Subject = {
    actor_id: userId,
    change_request_id: changeRequestId,
    comment_id: commentId,
    subject_id: postedId,
  };
  const mentioned = mentionedUsers(posted.markdown).map((id): Candidate => [id, 'mentioned']);
  const readers: [Kind, Subject, readonly Candidate[]][] = [['mentioned', subject, mentioned]];
  if (event.type === 'comment_updated' || event.type === 'comment_reply_updated') return readers;
  if (event.type === 'comment_reply_posted') {
    const thread = await people.findThread(db, commentId);
    readers.push(['commentReplied', subject, thread.map((id): Candidate => [id, 'thread'])]);
  }
  // The mail about a review has its comment.
  if (changeRequestId !== null && posted.review_id === null) {
    const request = await people.findPeopleOfRequest(db, changeRequestId);
    readers.push(['changeRequestCommented', subject, [[request?.author_id, 'author']]]);
  }
  return readers;
}

/**
 * The user who connected the repository or started the operation. A failure after a failure is not told: it is tried again every few
 * minutes.
 */
async function findSynchronizers(
  db: Database,
  spaceId: string,
  { data }: EventOf<'space_gitsync_completed'>,
): Promise<Candidate[]> {
  const sync = await people.findEndedSync(db, data.operationId);
  if (!sync) return [];
  const isConflict = data.state === 'success' && sync.change_request_id !== null && !sync.is_pull_request;
  if (!isConflict && (data.state === 'success' || sync.failed_before)) return [];
  if (sync.is_reachable) return [[sync.user_id, 'synchronizes']];
  const admins = await people.findFirstAdmins(db, spaceId, MAX_ADMINS);
  return admins.map((id): Candidate => [id, 'admin']);
}
