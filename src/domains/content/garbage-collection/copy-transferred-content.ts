import type { Database } from '../../../platform/database/connection.ts';
import { Reachable } from './reachable.ts';
import { readObjects } from '../../content-store/index.ts';
import { setStore } from '../../spaces/index.ts';
import { copyToStore, listRoots, lockForeign } from './store.ts';

/**
 * Copies the content of a transferred space into the store of its new organization. Nearly all is copied while others
 * read and write; the rest, written meanwhile, under the lock.
 */
export async function copyTransferredContent(db: Database, spaceId: string): Promise<void> {
  const known = new Reachable();
  const copy = async (on: Database, place: { from: string; to: string }) => {
    const found = new Reachable();
    for (const hash of known.objects) found.objects.add(hash);
    await found.add((hashes) => readObjects(on, place.from, hashes), await listRoots(on, { spaceId }));
    const objects = [...found.objects].filter((hash) => !known.objects.has(hash));
    const files = [...found.files].filter((hash) => !known.files.has(hash));
    await copyToStore(on, place, objects, files);
    for (const hash of objects) known.objects.add(hash);
    for (const hash of files) known.files.add(hash);
  };
  const place = await lockForeign(db, spaceId);
  if (!place) return;
  await db.transaction().execute((transaction) => copy(transaction, place));
  await db.transaction().execute(async (transaction) => {
    const now = await lockForeign(transaction, spaceId);
    // Transferred once more meanwhile: the next run starts over.
    if (now?.from !== place.from || now.to !== place.to) return;
    await copy(transaction, place);
    await setStore(transaction, spaceId, place.to);
  });
}
