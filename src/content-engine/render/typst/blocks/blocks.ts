import {
  contentBlocks,
  fragmentBlocks,
  headingLevel,
  type BlockNode,
  type BlockOf,
  type BlockType,
} from '../../../document/index.ts';
import { code } from './code.ts';
import * as containers from './containers.ts';
import { isTooDeep, type Context, type Typesetter } from '../context.ts';
import { drawing, images } from './images.ts';
import * as references from './references.ts';
import { table } from './tables.ts';
import * as text from './text-blocks.ts';

/** Blocks below each other. */
export const blocks = (context: Context, nodes: readonly BlockNode[]): string =>
  nodes
    .map((node, index) => block(index === 0 ? context : { ...context, mark: '' }, node))
    .filter((content) => content !== '')
    .join('\n');

const block: Typesetter<BlockNode> = (context, node) => {
  const typeset = TYPESETTERS[node.type] as Typesetter<BlockNode>;
  // These place the mark of their container in their first line.
  if (node.type === 'paragraph' || headingLevel(node) > 0) return typeset(context, node);
  const content = (isTooDeep(context) ? flat : typeset)({ ...context, mark: '' }, node);
  return context.mark === '' ? content : `#place[${context.mark}]\n${content}`;
};

/** A block that cannot be nested any deeper, or a part without its container: its content. */
const flat: Typesetter<BlockNode> = (context, node) =>
  blocks(context, [...contentBlocks(node), ...fragmentBlocks(node)]);

const TYPESETTERS: { readonly [Type in BlockType]: Typesetter<BlockOf<Type>> } = {
  paragraph: text.paragraph,
  'heading-1': text.heading,
  'heading-2': text.heading,
  'heading-3': text.heading,
  blockquote: text.quote,
  divider: text.divider,
  math: text.math,
  'list-unordered': text.bullets,
  'list-ordered': text.numbers,
  'list-tasks': text.tasks,
  'list-item': flat,
  code,
  'code-line': flat,
  prompt: containers.prompt,
  hint: containers.hint,
  tabs: containers.tabs,
  'tabs-item': flat,
  stepper: containers.stepper,
  'stepper-step': flat,
  expandable: containers.expandable,
  columns: containers.columns,
  column: flat,
  updates: containers.updates,
  update: flat,
  'reusable-content': containers.reusableContent,
  if: containers.condition,
  images,
  image: flat,
  drawing,
  table,
  embed: references.embed,
  file: references.file,
  'content-ref': references.contentRef,
  integration: references.integration,
  swagger: references.openapiOperation,
  'openapi-operation': references.openapiOperation,
  'openapi-webhook': references.openapiWebhook,
  'openapi-schemas': references.openapiSchemas,
};
