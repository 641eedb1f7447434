import type { Context } from '../../../platform/api/context.ts';
import { equalsSecret, type Keys } from '../../../platform/keys.ts';
import { isKind, type Kind } from '../policy.ts';

/** What a link in a mail turns off. */
export interface Unsubscription {
  readonly userId: string;
  readonly kinds: readonly Kind[];
}

const PURPOSE = 'unsubscribe from notifications';

const codeOf = ({ userId, kinds }: Unsubscription): string => [userId, ...kinds.toSorted()].join('.');

/**
 * A signed URL: who has the mail may turn off its kinds, and nothing else, without signing in. It does not expire, since mails
 * are kept.
 */
export const unsubscribeUrl = (
  { keys, addresses }: Pick<Context, 'keys' | 'addresses'>,
  what: Unsubscription,
): string => {
  const code = codeOf(what);
  return addresses.of(`/notifications/${code}.${keys.sign(PURPOSE, code)}`);
};

/** Undefined: the signature is not ours. */
export function readUnsubscription(keys: Keys, signed: string): Unsubscription | undefined {
  const [userId = '', ...rest] = signed.split('.');
  const signature = rest.pop() ?? '';
  const kinds = rest.filter(isKind);
  const code = [userId, ...rest].join('.');
  return kinds.length > 0 && equalsSecret(signature, keys.sign(PURPOSE, code))
    ? { userId, kinds }
    : undefined;
}
