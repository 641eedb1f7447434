import { childBlocks, fragmentBlocks, type BlockNode, type InlineContent } from '../../document/index.ts';
import { code } from './code.ts';
import * as containers from './containers.ts';
import { isTooDeep, type Context } from './context.ts';
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

function block(context: Context, node: BlockNode): string {
  switch (node.type) {
    case 'paragraph':
      return text.paragraph(context, node);
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      return text.heading(context, node);
    default: {
      const unmarked = { ...context, mark: '' };
      const content = isTooDeep(context) ? blocks(unmarked, flattened(node)) : unmarkedBlock(unmarked, node);
      return context.mark === '' ? content : `#place[${context.mark}]\n${content}`;
    }
  }
}

/** A block that does not place the mark of its container itself. */
function unmarkedBlock(context: Context, node: Exclude<BlockNode, text.MarkedBlock>): string {
  switch (node.type) {
    case 'list-unordered':
      return text.bullets(context, node);
    case 'list-ordered':
      return text.numbers(context, node);
    case 'list-tasks':
      return text.tasks(context, node);
    case 'blockquote':
      return text.quote(context, node);
    case 'divider':
      return text.divider(context, node);
    case 'math':
      return text.math(context, node);
    case 'code':
      return code(context, node);
    case 'hint':
      return containers.hint(context, node);
    case 'tabs':
      return containers.tabs(context, node);
    case 'stepper':
      return containers.stepper(context, node);
    case 'expandable':
      return containers.expandable(context, node);
    case 'columns':
      return containers.columns(context, node);
    case 'updates':
      return containers.updates(context, node);
    case 'if':
      return containers.condition(context, node);
    case 'prompt':
      return containers.prompt(context, node);
    case 'reusable-content':
      return containers.reusableContent(context, node);
    case 'images':
      return images(context, node);
    case 'drawing':
      return drawing(context, node);
    case 'table':
      return table(context, node);
    case 'embed':
      return references.embed(context, node);
    case 'file':
      return references.file(context, node);
    case 'content-ref':
      return references.contentRef(context, node);
    case 'swagger':
    case 'openapi-operation':
      return references.openapiOperation(context, node);
    case 'openapi-webhook':
      return references.openapiWebhook(context, node);
    case 'openapi-schemas':
      return references.openapiSchemas(context, node);
    case 'integration':
      return references.integration(context, node);
    // Their containers typeset them.
    case 'list-item':
    case 'tabs-item':
    case 'stepper-step':
    case 'column':
    case 'update':
    case 'code-line':
    case 'image':
      return blocks(context, flattened(node));
  }
}

/** The content of a block that cannot be nested any deeper, as blocks that follow each other. */
function flattened(node: BlockNode): BlockNode[] {
  const nodes: readonly (BlockNode | InlineContent)[] = node.nodes ?? [];
  const inlines = nodes.filter((child) => child.object !== 'block');
  const own: BlockNode[] =
    inlines.length > 0 ? [{ object: 'block', type: 'paragraph', nodes: inlines }] : childBlocks(node);
  return [...own, ...fragmentBlocks(node)];
}
