import type { AnnotationInline, InlineNode, LinkInline } from '../../../document/index.ts';

type Atom = Exclude<InlineNode, LinkInline | AnnotationInline>;

/** The members of a node that differ between types. */
type TypeAndData<Node extends Atom> = Node extends Atom ? Pick<Node, 'type' | 'data'> : never;

/** An inline without content of its own. */
export const atom = (node: TypeAndData<Atom>): Atom => ({ object: 'inline', ...node, isVoid: true });
