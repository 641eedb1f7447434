import { blocksOf } from '../../document/nodes.ts';
import type { BlockNode } from '../../markdown/index.ts';
import { code } from './code.ts';
import * as containers from './containers.ts';
import { drawing, images } from './images.ts';
import * as references from './references.ts';
import { isTooDeep, type Setting, type Typesetter } from './context.ts';
import { table } from './tables.ts';
import * as text from './text-blocks.ts';

/** Every block of the flavour. */
const KINDS: Readonly<Record<string, Typesetter>> = {
  paragraph: text.paragraph,
  'heading-1': text.heading,
  'heading-2': text.heading,
  'heading-3': text.heading,
  'list-unordered': text.bullets,
  'list-ordered': text.numbers,
  'list-tasks': text.tasks,
  blockquote: text.quote,
  divider: text.divider,
  math: text.math,
  code,
  hint: containers.hint,
  tabs: containers.tabs,
  stepper: containers.stepper,
  expandable: containers.expandable,
  columns: containers.columns,
  updates: containers.updates,
  if: containers.condition,
  prompt: containers.prompt,
  'reusable-content': containers.reusableContent,
  images,
  drawing,
  table,
  embed: references.embed,
  file: references.file,
  'content-ref': references.contentRef,
  swagger: references.openapiOperation,
  'openapi-operation': references.openapiOperation,
  'openapi-webhook': references.openapiWebhook,
  'openapi-schemas': references.openapiSchemas,
  integration: references.integration,
};

/** Blocks one below the other. */
export const blocks = (setting: Setting, nodes: readonly BlockNode[]): string =>
  nodes
    .map((node, index) => block(index === 0 ? setting : { ...setting, mark: '' }, node))
    .filter((content) => content !== '')
    .join('\n');

function block(setting: Setting, node: BlockNode): string {
  const kind = Object.hasOwn(KINDS, node.type) ? (KINDS[node.type] as Typesetter) : text.unknown;
  if (kind === text.paragraph || kind === text.heading) return kind(setting, node);
  const unmarked = { ...setting, mark: '' };
  const content = isTooDeep(setting) ? blocks(unmarked, heldBy(node)) : kind(unmarked, node);
  return setting.mark === '' ? content : `#place[${setting.mark}]\n${content}`;
}

/** Where nothing can be nested any more, blocks follow each other. */
function heldBy(node: BlockNode): BlockNode[] {
  const fragments = (node.fragments ?? []).flatMap((fragment) => fragment.nodes);
  const [first] = node.nodes ?? [];
  if (first === undefined || first.object === 'block') return [...blocksOf(node), ...fragments];
  return [{ object: 'block', type: 'paragraph', nodes: node.nodes ?? [] }, ...fragments];
}
