import { createHmac } from 'node:crypto';
import { equalsSecret } from '../../platform/keys.ts';

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
      readonly source: string;
      readonly target: string;
    }
  | { readonly type: 'other' };

type Json = Readonly<Record<string, unknown>>;

const asObject = (value: unknown): Json =>
  typeof value === 'object' && value !== null ? (value as Json) : {};
const asText = (value: unknown): string => (typeof value === 'string' ? value : '');
const OTHER: HostEvent = { type: 'other' };

/** What a host announces. Payloads are only hints: what is imported is what the repository contains. */
export function readEvent(headers: Headers, body: Buffer): HostEvent {
  const name = (
    headers['x-github-event'] ??
    headers['x-gitea-event'] ??
    headers['x-gitlab-event'] ??
    headers['x-event-key'] ??
    ''
  ).toLowerCase();
  const payload = parse(body);
  if (payload === undefined) return OTHER;
  if (/^push(?: hook)?$|^repo:push$/.test(name)) return { type: 'push', refs: refsIn(payload) };
  if (name === 'pull_request') return pullRequest(payload);
  return name === 'merge request hook' ? mergeRequest(payload) : OTHER;
}

function parse(body: Buffer): Json | undefined {
  try {
    return asObject(JSON.parse(body.toString('utf8')));
  } catch {
    return undefined;
  }
}

function refsIn(payload: Json): readonly string[] | undefined {
  const ref = asText(payload['ref']);
  if (ref !== '') return [ref];
  const { changes } = asObject(payload['push']);
  if (!Array.isArray(changes)) return undefined;
  return changes.map((change) => `refs/heads/${asText(asObject(asObject(change)['new'])['name'])}`);
}

const NEW_COMMITS = new Set([
  'opened',
  'reopened',
  'synchronize',
  'synchronized',
  'open',
  'reopen',
  'update',
]);

/** Of GitHub and Gitea. Pull requests from other repositories are not imported: their branch is not in this one. */
function pullRequest(payload: Json): HostEvent {
  const { number, head, base } = asObject(payload['pull_request']);
  const [from, to] = [asObject(head), asObject(base)];
  const isOwn = asObject(from['repo'])['full_name'] === asObject(to['repo'])['full_name'];
  return proposed(payload['action'], number, isOwn, from['ref'], to['ref']);
}

function mergeRequest(payload: Json): HostEvent {
  const request = asObject(payload['object_attributes']);
  const isOwn = request['source_project_id'] === request['target_project_id'];
  return proposed(
    request['action'],
    request['iid'],
    isOwn,
    request['source_branch'],
    request['target_branch'],
  );
}

function proposed(
  action: unknown,
  number: unknown,
  isOwn: boolean,
  source: unknown,
  target: unknown,
): HostEvent {
  if (!isOwn || !NEW_COMMITS.has(asText(action)) || !Number.isSafeInteger(number)) return OTHER;
  const branch = (name: unknown) => `refs/heads/${asText(name)}`;
  return { type: 'pull-request', number: number as number, source: branch(source), target: branch(target) };
}
