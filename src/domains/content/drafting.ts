import type { Load } from '../../content-engine/map/index.ts';
import type { Tree } from '../../content-engine/tree/index.ts';
import type { StoredFiles } from './files/new-files.ts';
import type { Texts } from './objects.ts';

/** A batch on its way to the engine: bodies become texts, files entries, JSON documents Markdown. */
export interface Drafting {
  readonly load: Load;
  readonly tree: Tree;
  readonly texts: Texts;
  readonly files: StoredFiles;
  /** The root of another revision of the space, for reverting; undefined where there is none. */
  readonly rootOf: (revisionId: string | undefined) => Promise<string | undefined>;
}
