import { code, codeWrapper, indentedCode } from './blocks/code.ts';
import { columns, condition, hint, prompt, stepper, tabs, updates } from './blocks/containers.ts';
import { drawing, html } from './blocks/html.ts';
import type { BlockKind } from './blocks/kind.ts';
import {
  contentRef,
  embed,
  file,
  integration,
  openapi,
  openapiOperation,
  openapiSchemas,
  openapiWebhook,
  pageRef,
  reusableContent,
  swagger,
} from './blocks/references.ts';
import { table } from './blocks/table.ts';
import { expandable } from './blocks/expandable.ts';
import { lists } from './blocks/lists.ts';
import { divider, headings, math, paragraph, quote } from './blocks/text.ts';

/** Every block of the flavour, how it is read and how it is written. The first of a type is the one that writes it. */
const FLAVOUR: readonly BlockKind[] = [
  paragraph,
  ...headings,
  ...lists,
  quote,
  divider,
  code,
  indentedCode,
  codeWrapper,
  math,
  html,
  drawing,
  table,
  expandable,
  hint,
  ...tabs,
  ...stepper,
  ...columns,
  ...updates,
  condition,
  prompt,
  embed,
  file,
  contentRef,
  pageRef,
  reusableContent,
  openapi,
  swagger,
  openapiOperation,
  openapiSchemas,
  openapiWebhook,
  integration,
];

function indexBy(name: (kind: BlockKind) => string | undefined): ReadonlyMap<string, BlockKind> {
  const map = new Map<string, BlockKind>();
  for (const kind of FLAVOUR) {
    const key = name(kind);
    if (key !== undefined && !map.has(key)) map.set(key, kind);
  }
  return map;
}

export const BY_TYPE = indexBy((kind) => kind.type);
export const BY_TAG = indexBy((kind) => kind.tag);
export const BY_TOKEN = indexBy((kind) => kind.token);
