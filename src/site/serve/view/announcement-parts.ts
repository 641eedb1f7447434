import { textOfInlines, type InlineContent, type Leaf } from '../../../content-engine/document/index.ts';
import { parseDocument } from '../../../content-engine/markdown/index.ts';
import type { MarkedText, MessagePart } from '../../model.ts';
import type { Refs } from '../../read/pages/resolve-refs.ts';

/**
 * The message of an announcement: emphasis, code and links of Markdown; everything else is text. A message that would be
 * another block, such as `2. December: …`, is text as a whole.
 */
export function announcementParts(message: string, refs: Pick<Refs, 'targetOf'> | undefined): MessagePart[] {
  const [only, ...more] = parseDocument(message).nodes;
  if (only?.type !== 'paragraph' || more.length > 0) return [{ text: message, marks: [] }];
  return (only.nodes ?? []).flatMap((node): MessagePart[] => {
    const href =
      node.object === 'inline' && node.type === 'link' ? refs?.targetOf(node.data.ref)?.href : undefined;
    return href === undefined ? textsOf(node) : [{ href, parts: textsOf(node) }];
  });
}

function textsOf(node: InlineContent): MarkedText[] {
  if (node.object === 'text') return node.leaves.map(markedText);
  return node.type === 'link'
    ? (node.nodes ?? []).flatMap(textsOf)
    : [{ text: textOfInlines([node]), marks: [] }];
}

const MARKS: ReadonlySet<string> = new Set(['bold', 'italic', 'strikethrough', 'code']);

const markedText = ({ text, marks }: Leaf): MarkedText => ({
  text,
  marks: marks.map(({ type }) => type).filter((type): type is MarkedText['marks'][number] => MARKS.has(type)),
});
