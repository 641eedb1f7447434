import type { BlockNode } from '../../document/index.ts';
import { code } from '../blocks/code.ts';
import {
  columns,
  condition,
  hint,
  prompt,
  stepper,
  tabs,
  updates,
  writeColumn,
  writeStep,
  writeTab,
  writeUpdate,
} from '../blocks/containers.ts';
import { expandable } from '../blocks/expandable.ts';
import { images, writeDrawing } from '../blocks/html.ts';
import type { BlockWriter } from '../blocks/kind.ts';
import { writeList } from '../blocks/lists.ts';
import {
  contentRef,
  embed,
  file,
  integration,
  openapiOperation,
  openapiSchemas,
  openapiWebhook,
  reusableContent,
  swagger,
} from '../blocks/references.ts';
import { divider, math, quote, writeHeading, writeParagraph } from '../blocks/text.ts';
import { flatText } from './flat-text.ts';
import { writeTable } from './table.ts';

/** One block as Markdown. */
export function writeBlock(writer: BlockWriter, block: BlockNode): string {
  switch (block.type) {
    case 'paragraph':
      return writeParagraph(writer, block);
    case 'heading-1':
    case 'heading-2':
    case 'heading-3':
      return writeHeading(writer, block);
    case 'list-ordered':
    case 'list-unordered':
    case 'list-tasks':
      return writeList(writer, block);
    case 'blockquote':
      return quote.write(writer, block);
    case 'divider':
      return divider.write(writer, block);
    case 'math':
      return math.write(writer, block);
    case 'code':
      return code.write(writer, block);
    case 'hint':
      return hint.write(writer, block);
    case 'if':
      return condition.write(writer, block);
    case 'prompt':
      return prompt.write(writer, block);
    case 'tabs':
      return tabs.write(writer, block);
    case 'tabs-item':
      return writeTab(writer, block);
    case 'stepper':
      return stepper.write(writer, block);
    case 'stepper-step':
      return writeStep(writer, block);
    case 'columns':
      return columns.write(writer, block);
    case 'column':
      return writeColumn(writer, block);
    case 'updates':
      return updates.write(writer, block);
    case 'update':
      return writeUpdate(writer, block);
    case 'expandable':
      return expandable.write(writer, block);
    case 'images':
      return images.write(writer, block);
    case 'drawing':
      return writeDrawing(writer, block);
    case 'file':
      return file.write(writer, block);
    case 'embed':
      return embed.write(writer, block);
    case 'content-ref':
      return contentRef.write(writer, block);
    case 'reusable-content':
      return reusableContent.write(writer, block);
    case 'integration':
      return integration.write(writer, block);
    case 'swagger':
      return swagger.write(writer, block);
    case 'openapi-operation':
      return openapiOperation.write(writer, block);
    case 'openapi-webhook':
      return openapiWebhook.write(writer, block);
    case 'openapi-schemas':
      return openapiSchemas.write(writer, block);
    case 'table':
      return writeTable(writer, block);
    // Their containers write them; on their own they have no form in Markdown.
    case 'list-item':
    case 'code-line':
    case 'image':
      return flatText(block);
  }
}
