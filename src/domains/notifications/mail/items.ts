import type { Addresses } from '../../../platform/api/context.ts';
import type { Reason } from '../find-recipients.ts';
import type { Kind } from '../policy.ts';
import type { NotificationRow } from '../store.ts';
import { excerptOf, oneLine } from './comment-text.ts';
import type { ChangeRequestRow, CommentRow, SpaceRow, Visible } from './read-visible.ts';

/** One notification as its recipient reads it. All of it is plain text, and except the excerpt on one line. */
export interface Item {
  readonly kind: Kind;
  readonly reason: Reason;
  readonly sentence: string;
  readonly excerpt: string | undefined;
  readonly url: string;
  readonly spaceTitle: string;
  readonly thread: Thread;
}

/** Mails about one change request, or one comment on a space, are a conversation. */
interface Thread {
  /** Part of its message id. */
  readonly id: string;
  readonly title: string;
}

const MAX_EXCERPT = 1000;

interface Place {
  readonly space: SpaceRow;
  readonly request: ChangeRequestRow | undefined;
  readonly actor: string;
}

type Said = Pick<Item, 'sentence' | 'excerpt'> & { readonly path: string; readonly thread: Thread };

/** Undefined: there is nothing to say any more, or nothing that the recipient may view. */
export function itemOf(row: NotificationRow, visible: Visible, addresses: Addresses): Item | undefined {
  const { kind, reason, space_id: spaceId, change_request_id: requestId } = row;
  const space = visible.spaces.get(spaceId);
  const request = requestId === null ? undefined : visible.requests.get(requestId);
  if (!space || (requestId !== null && !request)) return undefined;
  const actor = oneLine(visible.names.get(row.actor_id ?? '') ?? 'Someone', 64);
  const said = say(row, visible, { space, request, actor });
  if (!said) return undefined;
  const { path, ...rest } = said;
  return {
    ...rest,
    kind,
    reason: reason as Reason,
    url: addresses.of(`/app/spaces/${spaceId}${path}`),
    spaceTitle: oneLine(space.title),
  };
}

function say(row: NotificationRow, visible: Visible, place: Place): Said | undefined {
  switch (row.kind) {
    case 'reviewRequested':
    case 'changeRequestMerged':
      return sayRequest(row, place);
    case 'reviewSubmitted':
      return sayReview(row, visible, place);
    case 'mentioned':
    case 'commentReplied':
    case 'changeRequestCommented':
      return sayComment(row, visible, place);
    case 'gitSyncFailed':
      return saySync(row, visible, place);
    case 'importFinished':
      return sayImport(row, visible, place);
  }
}

const pathOf = ({ change_request_id: id }: ChangeRequestRow) => `/change-requests/${id}`;

/** `change request #3 “Fix links”`. */
const nameOf = ({ number, subject }: ChangeRequestRow): string =>
  `change request #${number}${subject.trim() === '' ? '' : ` “${oneLine(subject)}”`}`;

const threadOf = (request: ChangeRequestRow): Thread => {
  const subject = oneLine(request.subject);
  return {
    id: `change-request.${request.change_request_id}`,
    title: subject === '' ? `Change request #${request.number}` : `${subject} (#${request.number})`,
  };
};

const threadOfSpace = (id: string): Thread => ({ id: `space.${id}`, title: 'Synchronization and imports' });

/** A request for a review that was answered by an archived or merged request needs no mail. */
function sayRequest({ kind }: NotificationRow, { request, actor }: Place): Said | undefined {
  const isMerged = kind === 'changeRequestMerged';
  if (!request || (isMerged ? request.status !== 'merged' : request.status !== 'open')) return undefined;
  const sentence = isMerged
    ? `${actor} merged ${nameOf(request)}.`
    : `${actor} asked you to review ${nameOf(request)}.`;
  return { sentence, excerpt: undefined, path: pathOf(request), thread: threadOf(request) };
}

function sayReview(
  { subject_id: id }: NotificationRow,
  { reviews, reviewComments, names }: Visible,
  { request, actor }: Place,
): Said | undefined {
  const review = reviews.get(id);
  if (!review || !request) return undefined;
  const comment = reviewComments.get(id);
  const verb = review.review_status === 'approved' ? 'approved' : 'requested changes to';
  return {
    sentence: `${actor} ${verb} ${nameOf(request)}.`,
    excerpt: comment && !comment.resolved_at ? excerpt(comment, names) : undefined,
    path: pathOf(request),
    thread: threadOf(request),
  };
}

const excerpt = ({ markdown }: { readonly markdown: string }, names: ReadonlyMap<string, string>): string =>
  excerptOf(markdown, MAX_EXCERPT, (id) => {
    const name = names.get(id);
    return name === undefined ? undefined : oneLine(name, 64);
  });

function sayComment(
  row: NotificationRow,
  { comments, replies, names }: Visible,
  { space, request, actor }: Place,
): Said | undefined {
  const comment = comments.get(row.comment_id ?? '');
  const isReply = row.subject_id !== row.comment_id;
  const posted = isReply ? replies.get(row.subject_id) : comment;
  if (!comment || comment.resolved_at || !posted) return undefined;
  const on = request ? nameOf(request) : `“${oneLine(comment.page?.title ?? space.title)}”`;
  const sentence =
    row.kind === 'mentioned'
      ? `${actor} mentioned you in a ${isReply ? 'reply' : 'comment'} on ${on}.`
      : `${actor} ${isReply ? 'replied to a comment' : 'commented'} on ${on}.`;
  return {
    sentence,
    excerpt: excerpt(posted, names),
    path: `${request ? pathOf(request) : ''}/comments/${comment.comment_id}`,
    thread: request ? threadOf(request) : threadOfComment(comment, space),
  };
}

const threadOfComment = ({ comment_id: id, page }: CommentRow, space: SpaceRow): Thread => ({
  id: `comment.${id}`,
  title: `Comment on “${oneLine(page?.title ?? space.title)}”`,
});

function saySync(
  { subject_id: id }: NotificationRow,
  { gitOperations }: Visible,
  { space }: Place,
): Said | undefined {
  const operation = gitOperations.get(id);
  if (!operation) return undefined;
  const path = `/git/operations/${id}`;
  const thread = threadOfSpace(space.space_id);
  const what = operation.direction === 'import' ? 'import from' : 'export to';
  return operation.state === 'failure'
    ? {
        sentence: `The ${what} the Git repository failed.`,
        excerpt: oneLine(operation.error ?? '', MAX_EXCERPT),
        path,
        thread,
      }
    : {
        sentence: 'Changes in the Git repository conflict with the space.',
        excerpt: 'They are in a change request. Resolve its conflicts and merge it.',
        path: operation.change_request_id === null ? path : `/change-requests/${operation.change_request_id}`,
        thread,
      };
}

function sayImport(
  { subject_id: id }: NotificationRow,
  { importRuns }: Visible,
  { space, request }: Place,
): Said | undefined {
  const run = importRuns.get(id);
  if (!run) return undefined;
  const isFailed = run.status === 'failed';
  const skipped = run.skipped === 0 ? '' : `, ${run.skipped} skipped`;
  return {
    sentence: isFailed ? 'Your import has failed.' : 'Your import is completed.',
    excerpt: isFailed ? oneLine(run.error ?? '', MAX_EXCERPT) : `${run.imported} imported${skipped}.`,
    path: request ? pathOf(request) : '',
    thread: request ? threadOf(request) : threadOfSpace(space.space_id),
  };
}
