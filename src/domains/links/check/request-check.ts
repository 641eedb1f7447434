import type { Context } from '../../../platform/api/context.ts';
import { enqueue } from '../../../platform/jobs/job.ts';
import { findCheck, requestCheck } from '../../link-index/index.ts';
import { checkExternalLinks } from './jobs.ts';
import { platformOf } from '../list/read-outside.ts';
import type { LinkCheck } from '../schema.ts';

export async function requestLinkCheck(ctx: Context, spaceId: string): Promise<LinkCheck> {
  await requestCheck(ctx.db, spaceId);
  const check = await findCheck(ctx.db, spaceId, platformOf(ctx));
  if (check) await enqueue(ctx.db, checkExternalLinks, {});
  return {
    object: 'link-check',
    status: check?.is_running ? 'in-progress' : 'pending',
    total: check?.total ?? 0,
    remaining: check?.remaining ?? 0,
    urls: { links: ctx.addresses.of(`/v1/spaces/${spaceId}/links`) },
  };
}
