/** Roles from least to most. PostgreSQL's enum `role` has the same order, so that both compare alike. */
export const ROLES = ['read', 'comment', 'edit', 'review', 'create', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** `guest`: belongs to the organization without a role in it (null on the wire and in the database). */
export type Rank = Role | 'guest';

const RANKS: Record<Rank, number> = {
  guest: 0,
  read: 1,
  comment: 2,
  edit: 3,
  review: 4,
  create: 5,
  admin: 6,
};

export const atLeast = (role: Role | null, least: Rank): boolean => RANKS[role ?? 'guest'] >= RANKS[least];
