import type { Context } from '../../platform/api/context.ts';
import { storeBytes } from '../content/index.ts';
import { readTree } from '../content-store/index.ts';
import { type ContentRow } from '../revisions/index.ts';
import { requireParent } from './folder/add-prepared.ts';
import { acquireSlot } from './admission.ts';
import { converterOf, docxConverterOf } from './convert.ts';
import { countImport, outcomeOf } from './counters.ts';
import { refusalOf } from './import-error.ts';
import type { ImportWork } from './folder/imported-folder.ts';
import { deadlineOfRequest, limitsOf, REQUEST_CONVERSION, type ConversionTime } from './limits.ts';
import { prepareFolder, type PreparedImport } from './folder/prepare-folder.ts';
import { readSource } from './readers/index.ts';
import type { ImportContent } from './schema.ts';

type WorkContext = Pick<Context, 'db' | 'files' | 'outbound' | 'threads' | 'settings'>;

/** What readers work with. `owner`: the organization, which takes turns with others. */
export const openWork = (
  ctx: WorkContext,
  { storeId, owner }: { readonly storeId: string; readonly owner: string },
  time: ConversionTime,
  { deadline, signal, report }: Pick<ImportWork, 'deadline' | 'signal' | 'report'>,
): ImportWork => ({
  outbound: ctx.outbound,
  convert: converterOf(ctx, owner, signal, time),
  convertDocx: docxConverterOf(ctx, owner, signal, time),
  storeFile: (name, bytes) => storeBytes(ctx, storeId, name, bytes),
  limits: limitsOf(ctx.settings),
  deadline,
  signal,
  report,
});

/** The part of an import that leaves the database: reads the source, and stores its files and texts. */
export async function prepareImport(
  ctx: Context,
  row: ContentRow,
  pageId: string | undefined,
  { source, url }: ImportContent,
  signal: AbortSignal,
): Promise<PreparedImport> {
  const { store_id: storeId, organization_id: owner } = row;
  const deadline = deadlineOfRequest(performance.now());
  requireParent(await readTree(ctx, { store_id: storeId, root: row.root }), pageId);
  try {
    const leave = await acquireSlot(ctx, owner, signal);
    try {
      const work = openWork(ctx, { storeId, owner }, REQUEST_CONVERSION, {
        deadline,
        signal,
        report: () => undefined,
      });
      const folder = await readSource(work, source, url);
      signal.throwIfAborted();
      return await prepareFolder(ctx, { storeId, pageId }, folder);
    } finally {
      leave();
    }
  } catch (error) {
    const refusal = refusalOf(error, 'body.url', signal);
    countImport(ctx, source, outcomeOf(refusal, signal));
    throw refusal;
  }
}
