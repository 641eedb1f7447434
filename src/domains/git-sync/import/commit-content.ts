import type { ContentRecord, Tree } from '../../../content-engine/tree/index.ts';
import type { Analyses } from '../../content-store/index.ts';
import type { ManagedFiles } from '../../revisions/index.ts';

/** The content of a commit. Its files and texts are stored: all that is left is to publish it. */
export interface CommitContent {
  /** Differences from the earlier content. */
  readonly changed: ReadonlyMap<string, ContentRecord | null>;
  readonly tree: Tree;
  readonly analyses: Analyses;
  readonly files: ManagedFiles;
  /** The directory that the files are in, from the root of the repository. */
  readonly contentDirectory: string;
}

/** The content itself, without the place that it was read from. */
export type ReadContent = Omit<CommitContent, 'files' | 'contentDirectory'>;
