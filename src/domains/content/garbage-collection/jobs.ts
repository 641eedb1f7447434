import Type from 'typebox';
import { job } from '../../../platform/jobs/job.ts';
import { collectStore } from './collect.ts';
import { copyTransferredContent } from './copy-transferred-content.ts';
import { deleteOldUploads, foldStorageTallies, listForeignSpaces, listStores } from './store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

export const collectContent = job({
  name: 'content.collect',
  input: Type.Object({}),
  cron: '30 3 * * *',
  async run(ctx) {
    const before = new Date(ctx.now().getTime() - DAY_MS);
    await deleteOldUploads(ctx.db, before);
    for (const storeId of await listStores(ctx.db)) {
      const collected = await collectStore(ctx, storeId, before);
      if (collected.objects + collected.files > 0)
        ctx.log.info({ storeId, ...collected }, 'unreferenced content was deleted');
    }
  },
});

export const foldStorage = job({
  name: 'content.fold-storage',
  input: Type.Object({}),
  cron: '* * * * *',
  run: (ctx) => foldStorageTallies(ctx.db),
});

export const copyTransferred = job({
  name: 'content.rehome',
  input: Type.Object({}),
  cron: '*/5 * * * *',
  async run(ctx) {
    for (const spaceId of await listForeignSpaces(ctx.db)) await copyTransferredContent(ctx.db, spaceId);
  },
});
