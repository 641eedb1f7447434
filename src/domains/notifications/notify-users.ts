import type { EventReader } from '../events/index.ts';
import { findRecipients } from './find-recipients.ts';
import { scheduleMails } from './jobs.ts';
import { insertNotifications } from './store.ts';

/** Turns events into notifications of those who are concerned and may view them, and schedules their mails. */
export const notifyUsers: EventReader = {
  name: 'notifications',
  async read(ctx, events) {
    if (!ctx.settings.mail) return;
    const recipients = new Set<string>();
    for (const event of events) {
      for (const { what, reasons } of await findRecipients(ctx.db, event)) {
        if (reasons.size === 0) continue;
        for (const userId of await insertNotifications(ctx.db, what, reasons)) recipients.add(userId);
      }
    }
    await scheduleMails(ctx.db, [...recipients]);
  },
};
