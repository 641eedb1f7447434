import { on, operation } from '../../platform/api/operation.ts';
import { scheduleMails } from './jobs.ts';
import { KINDS, notificationSettings } from './policy.ts';
import { presentSettings } from './present.ts';
import { Settings, SettingsPatch } from './schema.ts';
import * as store from './store.ts';

const path = '/v1/user/notification-settings';
const may = on(notificationSettings);

export const getNotificationSettings = operation({
  method: 'GET',
  path,
  summary: 'Get your notification settings',
  description: 'What is mailed to you, and when. Mail is sent to a verified address only.',
  scope: 'user:read',
  status: 200,
  response: Settings,
  access: may('view'),
  version: (settings) => settings.version,
  handle: async ({ ctx, target }) => presentSettings(target, ctx.addresses),
});

export const updateNotificationSettings = operation({
  method: 'PATCH',
  path,
  summary: 'Update your notification settings',
  description: 'Also applies to what is not sent yet.',
  scope: null,
  body: SettingsPatch,
  status: 200,
  response: Settings,
  access: may('update'),
  version: (settings) => settings.version,
  handle: async ({ ctx, target, body }) => {
    const { user_id: userId } = target;
    const { delivery, kinds = {} } = body;
    const on = KINDS.filter((kind) => kinds[kind] === true);
    const off = KINDS.filter((kind) => kinds[kind] === false);
    if (delivery !== undefined || on.length + off.length > 0)
      await store.changeSettings(ctx.db, userId, { delivery, on, off });
    if (delivery !== undefined && delivery !== target.delivery) {
      await store.rescheduleWaiting(ctx.db, userId, delivery);
      await scheduleMails(ctx.db, [userId]);
    }
    return presentSettings((await store.findSettings(ctx.db, userId)) ?? target, ctx.addresses);
  },
});
