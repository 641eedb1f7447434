import type { Addresses } from '../../platform/api/context.ts';
import { KINDS, type Kind, type SettingsRow } from './policy.ts';

export const presentSettings = (
  { delivery, disabled_kinds: disabled }: Pick<SettingsRow, 'delivery' | 'disabled_kinds'>,
  addresses: Addresses,
) => ({
  object: 'notification-settings' as const,
  delivery,
  kinds: Object.fromEntries(KINDS.map((kind) => [kind, !disabled.includes(kind)])) as Record<Kind, boolean>,
  urls: { location: addresses.of('/v1/user/notification-settings') },
});
