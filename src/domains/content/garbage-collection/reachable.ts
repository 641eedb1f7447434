import { walk, type Load } from '../../../content-engine/map/index.ts';
import { referencesOf, type ContentRecord } from '../../../content-engine/tree/index.ts';

/** Objects (nodes and texts) and files that revisions reference. */
export class Reachable {
  readonly objects = new Set<string>();
  readonly files = new Set<string>();

  /** Adds everything below these roots. Known nodes are not read again, so similar maps cost only their differences. */
  async add(load: Load, roots: Iterable<string>): Promise<void> {
    for (const root of roots) {
      for await (const { hashes, records } of walk<ContentRecord>(load, root, (hash) =>
        this.objects.has(hash),
      )) {
        for (const hash of hashes) this.objects.add(hash);
        for (const record of records) {
          const { documents, files } = referencesOf(record);
          for (const hash of documents) this.objects.add(hash);
          for (const hash of files) this.files.add(hash);
        }
      }
    }
  }
}
