import { createHmac } from 'node:crypto';
import { parseJson } from '../../../platform/http/receive/parse-json.ts';
import { equalsSecret } from '../../../platform/keys.ts';

type Headers = Readonly<Record<string, string | undefined>>;

/** Whether a call of a webhook is signed with the secret, in the way of one of the common hosts. */
export function isSigned(headers: Headers, body: Buffer, secret: string): boolean {
  const digest = createHmac('sha256', secret).update(body).digest('hex');
  const token = headers['x-gitlab-token'];
  if (token !== undefined) return equalsSecret(token, secret);
  // GitHub, Bitbucket, then Gitea and Forgejo.
  const signature =
    headers['x-hub-signature-256'] ?? headers['x-hub-signature'] ?? headers['x-gitea-signature'] ?? '';
  return equalsSecret(signature.replace(/^sha256=/, ''), digest);
}

export type HostEvent =
  /** Full names of branches; undefined: not known. */
  | { readonly type: 'push'; readonly refs: readonly string[] | undefined }
  | {
      readonly type: 'pull-request';
      readonly number: number;
      readonly title: string | undefined;
      readonly state: 'open' | 'reopened' | 'closed';
      readonly source: string;
      readonly target: string;
    }
  | { readonly type: 'other' };

type Json = Readonly<Record<string, unknown>>;

const asObject = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? (value as Json) : {};
const asText = (value: unknown): string => (typeof value === 'string' ? value : '');
const OTHER: HostEvent = { type: 'other' };

/** What a host announces. Payloads are only hints: what is imported is what the repository contains. Throws 400 or 413. */
export function readEvent(headers: Headers, body: Buffer): HostEvent {
  const name = (
    headers['x-github-event'] ??
    headers['x-gitea-event'] ??
    headers['x-gitlab-event'] ??
    headers['x-event-key'] ??
    ''
  ).toLowerCase();
  const payload = asObject(parseJson(body));
  if (/^push(?: hook)?$|^repo:push$/.test(name)) return { type: 'push', refs: refsIn(payload) };
  if (name === 'pull_request') return pullRequest(payload);
  if (name.startsWith('pullrequest:')) return bitbucketRequest(name, payload);
  return name === 'merge request hook' ? mergeRequest(payload) : OTHER;
}

function refsIn(payload: Json): readonly string[] | undefined {
  const ref = asText(payload['ref']);
  if (ref !== '') return [ref];
  const { changes } = asObject(payload['push']);
  if (!Array.isArray(changes)) return undefined;
  return changes.map((change) => `refs/heads/${asText(asObject(asObject(change)['new'])['name'])}`);
}

/** Actions of GitHub, Gitea and GitLab, and events of Bitbucket. Others, such as a new label, change nothing here. */
const STATES: Readonly<Record<string, 'open' | 'reopened' | 'closed'>> = {
  opened: 'open',
  open: 'open',
  synchronize: 'open',
  synchronized: 'open',
  update: 'open',
  edited: 'open',
  reopened: 'reopened',
  reopen: 'reopened',
  closed: 'closed',
  close: 'closed',
  merge: 'closed',
  'pullrequest:created': 'open',
  'pullrequest:updated': 'open',
  'pullrequest:fulfilled': 'closed',
  'pullrequest:rejected': 'closed',
};

/** A pull request as its host describes it. */
interface Announced {
  readonly action: unknown;
  readonly number: unknown;
  readonly title: unknown;
  /** Pull requests from other repositories are not imported: their branch is not in this one. */
  readonly isOwn: boolean;
  readonly source: unknown;
  readonly target: unknown;
}

/** An event of GitHub or Gitea. */
function pullRequest(payload: Json): HostEvent {
  const { number, title, head, base } = asObject(payload['pull_request']);
  const [from, to] = [asObject(head), asObject(base)];
  const isOwn = asObject(from['repo'])['full_name'] === asObject(to['repo'])['full_name'];
  return proposed({
    action: payload['action'],
    number,
    title,
    isOwn,
    source: from['ref'],
    target: to['ref'],
  });
}

function mergeRequest(payload: Json): HostEvent {
  const request = asObject(payload['object_attributes']);
  return proposed({
    action: request['action'],
    number: request['iid'],
    title: request['title'],
    isOwn: request['source_project_id'] === request['target_project_id'],
    source: request['source_branch'],
    target: request['target_branch'],
  });
}

function bitbucketRequest(action: string, payload: Json): HostEvent {
  const { id: number, title, source, destination } = asObject(payload['pullrequest']);
  const [from, to] = [asObject(source), asObject(destination)];
  return proposed({
    action,
    number,
    title,
    isOwn: asObject(from['repository'])['full_name'] === asObject(to['repository'])['full_name'],
    source: asObject(from['branch'])['name'],
    target: asObject(to['branch'])['name'],
  });
}

function proposed({ action, number, title, isOwn, source, target }: Announced): HostEvent {
  const name = asText(action);
  const state = Object.hasOwn(STATES, name) ? STATES[name] : undefined;
  if (!isOwn || state === undefined || !Number.isSafeInteger(number)) return OTHER;
  const branch = (short: unknown) => `refs/heads/${asText(short)}`;
  return {
    type: 'pull-request',
    number: number as number,
    title: titleOf(title),
    state,
    source: branch(source),
    target: branch(target),
  };
}

/** The subject of a change request is shorter. */
const MAX_TITLE = 200;

/** One line, without characters that PostgreSQL does not store: NUL, and halves of a pair that was cut. */
const titleOf = (given: unknown): string | undefined =>
  asText(given)
    .slice(0, MAX_TITLE)
    .replaceAll(/[\p{Cc}\p{Cs}]/gu, ' ')
    .trim() || undefined;
