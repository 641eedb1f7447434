import Type, { type TBoolean } from 'typebox';
import { named, Uri } from '../../platform/api/schema.ts';
import { EACH_KIND, KINDS, type Kind } from './policy.ts';

const kinds = Object.fromEntries(
  KINDS.map((kind) => [kind, Type.Boolean({ description: EACH_KIND[kind] })]),
) as Record<Kind, TBoolean>;

const Kinds = Type.Object(kinds);

const Delivery = Type.Enum(['instant', 'hourly', 'daily', 'off'], {
  description:
    '`instant`: after a minute, in one mail with what else happens in it. `hourly`, `daily`: in one mail at the full hour, or ' +
    'at 7:00 UTC. `off`: no mail. Default: `instant`',
});

export const Settings = named('NotificationSettings', {
  object: Type.Literal('notification-settings'),
  delivery: Delivery,
  kinds: Kinds,
  urls: Type.Object({ location: Uri }),
});

export const SettingsPatch = Type.Object({
  delivery: Type.Optional(Delivery),
  kinds: Type.Optional(Type.Partial(Kinds)),
});
