import type { Load, NodeHash } from '../../../content-engine/map/index.ts';
import type { Tree } from '../../../content-engine/tree/index.ts';
import type { Engine, Texts } from '../../revisions/index.ts';
import type { StoredFiles } from '../files/batch-files.ts';

/** What a batch is applied to. */
export interface Editable {
  readonly tree: Tree;
  readonly load: Load;
  readonly engine: Engine;
  /** The root of another revision of the space, for reverting; undefined where there is none. */
  readonly rootOf: (revisionId: string | undefined) => Promise<NodeHash | undefined>;
}

/** A batch on its way to the engine: bodies become texts, files entries, JSON documents Markdown. */
export interface Drafting extends Editable {
  readonly texts: Texts;
  readonly files: StoredFiles;
}
