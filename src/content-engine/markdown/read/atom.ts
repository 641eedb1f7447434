import type { AnnotationInline, InlineNode, LinkInline } from '../../document/index.ts';

type Atom = Exclude<InlineNode, LinkInline | AnnotationInline>;

/** An inline without content of its own. */
export const atom = (
  node: { [Type in Atom['type']]: Pick<Extract<Atom, { type: Type }>, 'type' | 'data'> }[Atom['type']],
): Atom => ({
  object: 'inline',
  ...node,
  isVoid: true,
});
