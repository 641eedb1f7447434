import type { FolderFile, FolderWarning, ReadFolderOptions } from '../../../content-engine/folder/index.ts';
import type { BodyAnalysis } from '../../../content-engine/markdown/index.ts';
import type { Tree } from '../../../content-engine/tree/index.ts';
import type { CollectedAnalyses } from '../../content-store/index.ts';
import type { StoredFile } from '../files/store-bytes.ts';

export interface FolderEntry {
  /** Relative to the folder, with slashes. */
  readonly path: string;
  readonly size: number;
}

/** A folder to import. Its files are read when they are needed: all of them may not fit into memory. */
export interface FolderToImport<E extends FolderEntry = FolderEntry> {
  readonly entries: readonly E[];
  /** The bytes of these entries, in their order. */
  readonly read: (entries: readonly E[]) => AsyncIterable<Uint8Array>;
}

/** A folder whose files are stored, except its settings and files that are given as bytes. */
export interface StoredFolder extends Pick<ReadFolderOptions, 'outline' | 'analysisOf'> {
  readonly files: readonly FolderFile[];
  /** The analyses of the bodies that are stored. */
  readonly analyses?: CollectedAnalyses;
  readonly warnings?: readonly FolderWarning[];
  /** The bytes of Markdown files whose bodies are stored: they turned out not to be pages. */
  readonly readAgain?: (paths: readonly string[]) => AsyncIterable<Uint8Array>;
}

export interface StoreOptions<E> {
  readonly warn: (path: string, message: string, line?: number) => void;
  /** Content whose bodies are stored already. */
  readonly previous?: Tree | undefined;
  /** The stored file with the bytes of an entry: it is not read. */
  readonly storedAs?: (entry: E) => StoredFile | undefined;
  /** The analysis, without sections, of a body that is indexed already. */
  readonly analysisOf?: (entry: E) => BodyAnalysis | undefined;
  /** Called now and then with the number of files. It throws to end the import. */
  readonly report?: (completed: number) => void;
}

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

const LFS_POINTER = 'version https://git-lfs.github.com/spec/v1';

export function warnOfPointer(warn: StoreOptions<unknown>['warn'], path: string, bytes: Uint8Array): void {
  if (bytes.length < 1024 && Buffer.from(bytes).toString('latin1').startsWith(LFS_POINTER))
    warn(path, 'Git LFS pointer: the pointer is imported, not the file that it names');
}
