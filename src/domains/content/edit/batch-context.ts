import type { Hash, Load, NodeHash } from '../../../content-engine/map/index.ts';
import type { Tree } from '../../../content-engine/tree/index.ts';
import type { Candidate } from '../../link-index/index.ts';
import type { StoredFiles } from '../files/batch-files.ts';

/** Finds hrefs that may lead to entries of these names by their path alone, or that are in one of these sources. */
export type FindLoose = (
  names: readonly string[],
  sources: readonly string[],
) => Promise<readonly Candidate[]>;

/** The revision that a batch is applied to. */
export interface BatchBase {
  readonly tree: Tree;
  readonly load: Load;
  readonly isFront: boolean;
  /** The root of another revision of the space, for reverting; undefined where there is none. */
  readonly rootOf: (revisionId: string | undefined) => Promise<NodeHash | undefined>;
  readonly findLoose: FindLoose;
}

/** The context in which the changes of a batch are parsed. */
export interface BatchContext extends BatchBase {
  /** Collects the texts of the batch. */
  readonly texts: Map<Hash, string>;
  readonly files: StoredFiles;
}
