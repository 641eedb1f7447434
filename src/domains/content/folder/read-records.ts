import {
  MAX_ITEMS,
  readFolder,
  type FolderContent,
  type ReadFolderOptions,
} from '../../../content-engine/folder/index.ts';
import type { Context } from '../../../platform/api/context.ts';
import { tooLarge } from '../../../platform/api/errors.ts';
import { newId } from '../../../platform/api/ids.ts';
import { CollectedAnalyses, storeTexts, type Analyses } from '../../content-store/index.ts';
import { describeFile, storeAll } from '../files/store-bytes.ts';
import type { StoredFolder } from './folder-to-import.ts';
import { storeUnlisted } from './store-assets.ts';

/** All that the records refer to is stored. */
export interface ReadRecords extends Pick<FolderContent, 'records' | 'warnings' | 'beyondLimit'> {
  readonly analyses: Analyses;
}

/** Reads the records of a stored folder, and stores its texts and the files that are not stored yet. */
export async function readRecords(
  ctx: Pick<Context, 'db' | 'files' | 'now'>,
  storeId: string,
  { files, analyses = new CollectedAnalyses(), readAgain }: StoredFolder,
  options: Omit<ReadFolderOptions, 'newId' | 'now' | 'describe' | 'each'>,
): Promise<ReadRecords> {
  const { records, texts, warnings, beyondLimit, isSummaryTooLong, ...toStore } = readFolder(files, {
    newId,
    now: ctx.now().getTime(),
    describe: describeFile,
    each: (document, analysis) => analyses.add(document, analysis),
    ...options,
  });
  if (isSummaryTooLong)
    throw tooLarge(`SUMMARY.md has more than ${MAX_ITEMS} entries. Nothing was imported; shorten it.`);
  await storeTexts(ctx.db, storeId, texts);
  await storeAll(ctx, storeId, toStore.files);
  if (readAgain) await storeUnlisted(ctx, storeId, readAgain(toStore.unlisted));
  return { records, warnings, beyondLimit, analyses };
}
