import { resource, type Authorised } from '../access/index.ts';

/** The kinds of notifications. Stored by name: add names, but never rename or remove them. */
export const EACH_KIND = {
  reviewRequested: 'Your review of a change request is requested',
  reviewSubmitted: 'Your change request is reviewed, or one whose review you requested',
  mentioned: 'A comment mentions you',
  commentReplied: 'A reply to your comment, or in a thread in which you replied',
  changeRequestCommented: 'A comment on your change request',
  changeRequestMerged: 'A change request is merged that you created or reviewed',
  gitSyncFailed: 'The synchronization of a repository fails or conflicts with the space',
  importFinished: 'An import that you started is completed or has failed',
} as const;

export type Kind = keyof typeof EACH_KIND;

export const KINDS = Object.keys(EACH_KIND) as Kind[];

export const isKind = (name: string): name is Kind => Object.hasOwn(EACH_KIND, name);

export type Delivery = 'instant' | 'hourly' | 'daily' | 'off';

export interface SettingsRow extends Authorised {
  readonly user_id: string;
  readonly delivery: Delivery;
  readonly disabled_kinds: readonly Kind[];
  readonly version: number;
}

/** The settings of the caller: found without an id. */
export const notificationSettings = resource<SettingsRow>()({
  name: 'Notification settings',
  key: 'user_id',
  rows: `
    select u.id as user_id, coalesce(n.delivery, 'instant') as delivery,
      coalesce(n.disabled_kinds, '{}') as disabled_kinds, coalesce(n.version, 0) as version, 'admin'::role as role
    from users u left join notification_settings n on n.user_id = u.id
    where u.id = caller.id`,
  match: 'u.id = caller.id',
  needs: { view: 'read', update: 'admin' },
});
