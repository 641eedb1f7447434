import type { Role } from './roles.ts';

/** The least role for each action on a space and on its content, change requests and comments. */
export const leastRole = {
  view: 'read',
  comment: 'comment',
  edit: 'edit',
  review: 'review',
  merge: 'review',
  create: 'create',
  admin: 'admin',
} as const satisfies Readonly<Record<string, Role>>;
