import { textOfInlines, type BlockNode } from '../document/index.ts';
import { Finder } from './scan/syntax/chars.ts';
import { templateTagAt } from './scan/syntax/template-tag.ts';

/** A tag that the document form cannot express, which the document has as a verbatim block. */
export interface VerbatimTag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
}

export function verbatimTagOf(block: BlockNode): VerbatimTag | undefined {
  if (block.type !== 'code' || block.data?.verbatim !== true) return undefined;
  const text = (block.nodes ?? []).map((line) => textOfInlines(line.nodes)).join('\n');
  if (!text.startsWith('{%')) return undefined;
  const tag = templateTagAt(text, 0, text.length, new Finder(text));
  return (
    tag && { name: tag.name, attributes: new Map(tag.attributes.map((one) => [one.name, plain(one.value)])) }
  );
}

/** Exports escape punctuation in attributes. */
const plain = (value: string): string => value.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1');
