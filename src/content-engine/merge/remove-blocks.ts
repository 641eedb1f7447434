import { hrefsOf } from '../markdown/index.ts';
import { withoutBlocks } from './body/select-blocks.ts';

export interface BlockRemoval {
  readonly body: string;
  /** None: the body stays as it is. */
  readonly keys: ReadonlySet<string>;
}

export interface RemainingBody {
  readonly text: string;
  /** Each address in it once. */
  readonly hrefs: ReadonlySet<string>;
}

/** A body without the blocks that have one of the keys. */
export function removeBlocks({ body, keys }: BlockRemoval): RemainingBody {
  const text = keys.size === 0 ? body : withoutBlocks(body, keys);
  return { text, hrefs: new Set(hrefsOf(text).map(({ href }) => href)) };
}
