import type { Addresses } from '../../platform/api/context.ts';
import { flags } from '../../platform/api/resource.ts';
import { spaces, type SpaceRow } from './policy.ts';

const FLAGS = [
  'view',
  'access',
  'admin',
  'viewInviteLinks',
  'edit',
  'triggerGitSync',
  'comment',
  'merge',
  'review',
  'installIntegration',
] as const;

export const presentSpace = (row: SpaceRow, callerId: string, addresses: Addresses) => ({
  object: 'space' as const,
  id: row.space_id,
  title: row.title,
  emoji: row.emoji,
  visibility: visibilityOf(row) as 'private',
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  deletedAt: row.deleted_at?.toISOString(),
  editMode: row.edit_mode,
  mergeRules: row.merge_rules,
  urls: {
    location: addresses.of(`/v1/spaces/${row.space_id}`),
    app: addresses.of(`/app/spaces/${row.space_id}`),
    icon: row.icon ?? undefined,
  },
  organization: row.organization_id,
  parent: row.parent_id ?? undefined,
  language: row.language ?? undefined,
  revision: row.revision_id,
  defaultLevel: row.default_level,
  comments: row.comments,
  changeRequests: row.change_requests,
  changeRequestsOpen: row.change_requests_open,
  changeRequestsDraft: row.change_requests_draft,
  permissions: flags(spaces, FLAGS, row, callerId),
});

/** Its own setting, or the inherited one: only inside a collection can it inherit from the collection. */
function visibilityOf({ visibility, parent_id: parentId }: SpaceRow): string {
  if (visibility && (visibility !== 'in-collection' || parentId)) return visibility;
  return parentId ? 'in-collection' : 'private';
}
