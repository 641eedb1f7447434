import { requireSmall } from '../../../platform/api/too-large-here.ts';
import type { Keys } from '../../../platform/keys.ts';
import { requireRef } from '../../../platform/git/index.ts';
import { page, type PageAnswer } from '../../../platform/http/pages/page.ts';
import { findConnection, recordWebhook, type ConnectionRow } from './connection-store.ts';
import type { PullRequest } from '../policy.ts';
import { isSigned, readEvent, type HostEvent } from './push-event.ts';
import { startConnected } from './start-connected.ts';

/** A push of thousands of commits has a payload of some megabytes. */
const MAX_PAYLOAD = 4 * 1024 * 1024;

export const webhookPath = (spaceId: string): string => `/~git/${spaceId}/webhook`;

/** Shown to admins of the space, who enter it at the host of the repository. */
export const webhookSecret = (keys: Keys, { space_id: spaceId, nonce }: ConnectionRow): string =>
  keys.sign('git-webhook', `${spaceId} ${nonce}`);

const answer = (status: number, text: string): PageAnswer => ({
  status,
  type: 'text/plain; charset=utf-8',
  body: `${text}\n`,
});

/** Called by the host of a repository. Of the payload, only the number and title of a pull request are stored. */
export const webhookPage = page({
  method: 'POST',
  path: '/~git/{spaceId}/webhook',
  host: 'service',
  maxBody: MAX_PAYLOAD,
  async handle({ ctx, params, headers, body }) {
    const connection = await findConnection(ctx.db, params['spaceId'] ?? '');
    // Unknown spaces have the same answer, so that it does not tell whether a space exists.
    if (!connection || !isSigned(headers, body, webhookSecret(ctx.keys, connection)))
      return answer(401, 'The signature is wrong. Enter the secret of the webhook at the host again.');
    requireSmall(ctx, 'body', body.length);
    await recordWebhook(ctx.db, connection.space_id);
    const event = readEvent(headers, body);
    if (isPush(connection, event)) {
      await startConnected(ctx.db, connection, { direction: 'import', cause: 'push', now: ctx.now() });
      return answer(202, 'The branch will be imported.');
    }
    if (event.type === 'pull-request' && isWanted(connection, event)) {
      const { number, title, state, source, target } = event;
      const pullRequest: PullRequest = {
        number,
        targetRef: target,
        ...(title === undefined ? {} : { title }),
        ...(state === 'open' ? {} : { state }),
      };
      const options = { ref: source, pullRequest };
      const now = ctx.now();
      await startConnected(ctx.db, connection, { direction: 'import', cause: 'pull-request', now, options });
      return answer(
        202,
        state === 'closed'
          ? 'The change request will be archived.'
          : 'The branch will be imported as a change request.',
      );
    }
    return answer(200, 'Nothing to do.');
  },
});

const isPush = ({ direction, ref }: ConnectionRow, event: HostEvent): boolean =>
  direction !== 'export' && event.type === 'push' && (event.refs === undefined || event.refs.includes(ref));

function isWanted(
  { pull_requests: isOn, ref }: ConnectionRow,
  { source, target }: Extract<HostEvent, { type: 'pull-request' }>,
): boolean {
  if (!isOn || target !== ref || source === ref) return false;
  try {
    requireRef(source);
    return true;
  } catch {
    return false;
  }
}
