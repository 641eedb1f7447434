import { code, readCodeTag } from '../blocks/code.ts';
import { columns, condition, hint, prompt, stepper, tabs, updates } from '../blocks/containers.ts';
import { expandable } from '../blocks/expandable.ts';
import { images } from '../blocks/html.ts';
import type { ReadBlock, ReadTag } from '../blocks/kind.ts';
import { readList } from '../blocks/lists.ts';
import {
  contentRef,
  embed,
  file,
  integration,
  openapiOperation,
  openapiSchemas,
  openapiWebhook,
  pageRef,
  reusableContent,
  swagger,
} from '../blocks/references.ts';
import { table } from '../blocks/table.ts';
import { divider, math, quote, readHeading } from '../blocks/text.ts';
import type { TokenKind } from '../scan/token.ts';

/** Readers of plain Markdown blocks, by the kind of their token. */
export const READERS = {
  heading: readHeading,
  list: readList,
  quote: quote.read,
  divider: divider.read,
  fence: code.read,
  indented: code.read,
  math: math.read,
  pipe: table.read,
  html: images.read,
  details: expandable.read,
} as const satisfies Partial<Record<TokenKind, ReadBlock>>;

/** Readers of blocks with a tag, by its name; those of integrations begin with `@`. */
export const TAG_READERS: ReadonlyMap<string, ReadTag> = new Map(
  Object.entries({
    code: readCodeTag,
    hint: hint.read,
    tabs: tabs.read,
    stepper: stepper.read,
    columns: columns.read,
    updates: updates.read,
    if: condition.read,
    prompt: prompt.read,
    embed: embed.read,
    file: file.read,
    'content-ref': contentRef.read,
    'page-ref': pageRef.read,
    include: reusableContent.read,
    openapi: swagger.read,
    swagger: swagger.read,
    'openapi-operation': openapiOperation.read,
    'openapi-schemas': openapiSchemas.read,
    'openapi-webhook': openapiWebhook.read,
    '@': integration.read,
  }),
);
