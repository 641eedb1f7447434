import { hrefsOf } from '../markdown/index.ts';
import { withoutBlocks } from './body/select-blocks.ts';

export interface BlockRemoval {
  readonly body: string;
  /** Empty: the body is unchanged. */
  readonly keys: ReadonlySet<string>;
}

export interface RemainingBody {
  readonly text: string;
  /** The distinct hrefs of the text. */
  readonly hrefs: ReadonlySet<string>;
}

/** Removes the blocks with these keys from a body. */
export function removeBlocks({ body, keys }: BlockRemoval): RemainingBody {
  const text = keys.size === 0 ? body : withoutBlocks(body, keys);
  return { text, hrefs: new Set(hrefsOf(text).map(({ href }) => href)) };
}
