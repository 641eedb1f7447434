import type { ConstraintMessages } from '../platform/http/errors.ts';
import type { Page } from '../platform/http/page.ts';
import type { Job } from '../platform/jobs/job.ts';
import type { NamedOperation, Operation } from '../platform/operation.ts';
import * as invites from './invites/operations.ts';
import { sendInvite } from './invites/jobs.ts';
import { acceptInvitePage, invitePage } from './invites/page.ts';
import * as members from './members/operations.ts';
import * as organizations from './organizations/operations.ts';
import * as system from './system/operations.ts';
import { homePage, appPage } from './system/page.ts';
import { purgeIdempotencyKeys } from './system/jobs.ts';
import * as teams from './teams/operations.ts';
import * as users from './users/operations.ts';
import { avatarPage } from './users/page.ts';

/** The resources, in the order in which they may know each other. */
const slices: Record<string, Record<string, Operation>> = { system, users, organizations, members, teams, invites };

export const operations: readonly NamedOperation[] = Object.entries(slices).flatMap(([folder, exported]) =>
  Object.entries(exported).map(([id, operation]) => ({ ...operation, id, folder })),
);

export const pages: readonly Page[] = [homePage, appPage, avatarPage, invitePage, acceptInvitePage];

export const jobs: readonly Job[] = [sendInvite, purgeIdempotencyKeys] as readonly Job[];

/** What it means to a person when a constraint of the database refuses. */
export const constraints: ConstraintMessages = {
  organizations_hostname_unique: 'This hostname is taken. Choose another.',
  organization_keeps_an_admin: 'An organization keeps at least one admin. Make somebody else admin first.',
};
