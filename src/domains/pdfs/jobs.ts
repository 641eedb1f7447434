import Type from 'typebox';
import { job } from '../../platform/jobs/job.ts';
import { deleteOldPdfs } from './store.ts';

export const purgePdfs = job({
  name: 'pdfs.purge',
  input: Type.Object({}),
  cron: '45 3 * * *',
  run: (ctx) => deleteOldPdfs(ctx.db),
});
