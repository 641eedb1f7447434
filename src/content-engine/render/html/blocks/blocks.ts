import { contentBlocks, type BlockNode, type BlockOf, type BlockType } from '../../../document/index.ts';
import { cards } from './cards.ts';
import { code } from './code.ts';
import * as containers from './containers.ts';
import type { Context, Renderer } from '../context.ts';
import { embed } from './embeds.ts';
import { drawing, images } from '../inlines/images.ts';
import * as lists from './lists.ts';
import type { HtmlNode } from '../node.ts';
import * as openapi from './openapi/blocks.ts';
import { prompt } from './prompt.ts';
import * as references from './references.ts';
import { tabs } from './tabs.ts';
import { grid } from './tables.ts';
import * as text from './text-blocks.ts';
import { updates } from './updates.ts';

/** Blocks below each other. */
export const blocks = (context: Context, nodes: readonly BlockNode[]): HtmlNode =>
  nodes.map((node) => () => block(context, node));

const block: Renderer<BlockNode> = (context, node) =>
  (RENDERERS[node.type] as Renderer<BlockNode>)(context, node);

/** A part that its container renders. A document of a client may have it alone. */
const part: Renderer<BlockNode> = (context, node) => blocks(context, contentBlocks(node));

const RENDERERS: { readonly [Type in BlockType]: Renderer<BlockOf<Type>> } = {
  paragraph: text.paragraph,
  'heading-1': text.heading,
  'heading-2': text.heading,
  'heading-3': text.heading,
  blockquote: text.quote,
  divider: text.divider,
  math: text.math,
  'list-unordered': lists.bullets,
  'list-ordered': lists.numbers,
  'list-tasks': lists.tasks,
  'list-item': part,
  code,
  'code-line': part,
  prompt,
  hint: containers.hint,
  tabs,
  'tabs-item': part,
  stepper: containers.stepper,
  'stepper-step': part,
  expandable: containers.expandable,
  columns: containers.columns,
  column: part,
  updates,
  update: part,
  'reusable-content': containers.reusableContent,
  // Conditions are evaluated before. One that was not must hide its content: it may be meant for other visitors.
  if: () => undefined,
  images,
  image: (context, node) => images(context, { object: 'block', type: 'images', nodes: [node] }),
  drawing,
  table: (context, node) => (node.data.view.type === 'cards' ? cards : grid)(context, node),
  embed,
  file: references.file,
  'content-ref': references.contentRef,
  integration: references.integration,
  swagger: openapi.operation,
  'openapi-operation': openapi.operation,
  'openapi-webhook': openapi.operation,
  'openapi-schemas': openapi.schemas,
};
