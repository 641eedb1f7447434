import type { BlockNode, InlineContent } from '../../document/index.ts';
import { cards } from './cards.ts';
import { code } from './code.ts';
import * as containers from './containers.ts';
import type { Context } from './context.ts';
import { embed } from './embeds.ts';
import { drawing, images } from './images.ts';
import * as lists from './lists.ts';
import type { HtmlNode } from './node.ts';
import * as openapi from './openapi.ts';
import { prompt } from './prompt.ts';
import * as references from './references.ts';
import { tabs } from './tabs.ts';
import { grid } from './tables.ts';
import * as text from './text-blocks.ts';
import { updates } from './updates.ts';

/** Blocks below each other, each rendered when its turn comes. */
export const blocks = (context: Context, nodes: readonly BlockNode[]): HtmlNode =>
  nodes.map((node) => () => block(context, node));

function block(context: Context, node: BlockNode): HtmlNode {
  switch (node.type) {
    case 'paragraph':
      return text.paragraph(context, node);
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      return text.heading(context, node);
    case 'blockquote':
      return text.quote(context, node);
    case 'divider':
      return text.divider(context, node);
    case 'math':
      return text.math(context, node);
    case 'list-unordered':
      return lists.bullets(context, node);
    case 'list-ordered':
      return lists.numbers(context, node);
    case 'list-tasks':
      return lists.tasks(context, node);
    case 'code':
      return code(context, node);
    case 'prompt':
      return prompt(context, node);
    case 'hint':
      return containers.hint(context, node);
    case 'tabs':
      return tabs(context, node);
    case 'stepper':
      return containers.stepper(context, node);
    case 'expandable':
      return containers.expandable(context, node);
    case 'columns':
      return containers.columns(context, node);
    case 'updates':
      return updates(context, node);
    case 'reusable-content':
      return containers.reusableContent(context, node);
    // Conditions are evaluated before. One that was not must hide its content: it may be meant for other visitors.
    case 'if':
      return undefined;
    case 'images':
      return images(context, node);
    case 'drawing':
      return drawing(context, node);
    case 'table':
      return node.data.view.type === 'cards' ? cards(context, node) : grid(context, node);
    case 'embed':
      return embed(context, node);
    case 'file':
      return references.file(context, node);
    case 'content-ref':
      return references.contentRef(context, node);
    case 'integration':
      return references.integration(context, node);
    case 'swagger':
    case 'openapi-operation':
    case 'openapi-webhook':
      return openapi.operation(context, node);
    case 'openapi-schemas':
      return openapi.schemas(context, node);
    // Their containers render them. A document of a client may have them alone.
    case 'list-item':
    case 'tabs-item':
    case 'stepper-step':
    case 'column':
    case 'update':
    case 'code-line':
      return blocks(context, contentOf(node));
    case 'image':
      return images(context, { object: 'block', type: 'images', nodes: [node] });
  }
}

function contentOf(node: BlockNode): BlockNode[] {
  const nodes: readonly (BlockNode | InlineContent)[] = node.nodes ?? [];
  const inlines = nodes.filter((child) => child.object !== 'block');
  if (inlines.length > 0) return [{ object: 'block', type: 'paragraph', nodes: inlines }];
  return nodes.filter((child) => child.object === 'block');
}
