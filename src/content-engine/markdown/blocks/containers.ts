import type {
  BlockNode,
  ColumnBlock,
  HintBlock,
  HintStyle,
  PromptBlock,
  StepBlock,
  TabBlock,
  UpdateBlock,
} from '../../document/index.ts';
import { lengthOf } from '../read/images.ts';
import type { Reading } from '../read/reading.ts';
import { valueOf, type TemplateTag } from '../scan/syntax/template-tag.ts';
import type { Token } from '../scan/token.ts';
import { lengthText } from '../write/image-element.ts';
import { oneOf } from './one-of.ts';
import {
  defined,
  trueOnly,
  trueText,
  wrapped,
  type BlockWriter,
  type Tag,
  type MarkdownBlock,
  type WriteBlock,
} from './kind.ts';

/** Blocks between a start and an end tag that hold other blocks. */

export const hintStyle = (name: string | undefined): HintStyle =>
  oneOf(name, ['info', 'warning', 'danger', 'success']) ?? 'info';

const hint: MarkdownBlock<'hint'> = {
  tags: {
    hint: {
      end: 'required',
      read: (reader, token, key, tag) => {
        const data: HintBlock['data'] = defined({
          style: hintStyle(valueOf(tag, 'style')),
          icon: valueOf(tag, 'icon'),
        });
        return [
          { object: 'block', type: 'hint', key, data, nodes: reader.blocks(token.children ?? [], false) },
        ];
      },
    },
  },
  write: (writer, { data, nodes }) =>
    wrapped('hint', { style: data?.style, icon: data?.icon }, writer.blocks(nodes ?? [])),
};

type ReadPart<Part> = (tag: TemplateTag, key: string, nodes: BlockNode[], reading: Reading) => Part;

/** The tags of a container and of its parts, `{% tabs %}{% tab %}…`. Blocks between the parts are moved behind the container. */
const tagsWithParts = <Part extends BlockNode>(
  name: string,
  part: string,
  readPart: ReadPart<Part>,
  blockOf: (tag: TemplateTag, key: string, nodes: Part[]) => BlockNode,
): Readonly<Record<string, Tag>> => ({
  [name]: {
    end: 'required',
    read: (reader, token, key, tag) => {
      const nodes: Part[] = [];
      const strays: Token[] = [];
      for (const child of token.children ?? []) {
        if (child.tag?.name !== part) {
          strays.push(child);
          continue;
        }
        const partKey = reader.key(child);
        const content = reader.blocks(child.children ?? [], true);
        const node = readPart(child.tag, partKey, content, reader.reading);
        child.nodes = [node];
        nodes.push(node);
      }
      return [blockOf(tag, key, nodes), ...reader.blocks(strays, true)];
    },
  },
  [part]: { end: 'required', within: name },
});

const textOfParts = <Part>(
  writer: BlockWriter,
  parts: readonly Part[] | undefined,
  write: (writer: BlockWriter, part: Part) => string,
): string => (parts ?? []).map((part) => write(writer, part)).join('\n\n');

const readTab: ReadPart<TabBlock> = (tag, key, nodes, reading) => {
  const data = defined({
    title: valueOf(tag, 'title'),
    icon: valueOf(tag, 'icon'),
    slug: valueOf(tag, 'slug'),
  });
  const tab: TabBlock = { object: 'block', type: 'tabs-item', key, data, nodes };
  reading.parts.push(tab);
  return tab;
};

const writeTab: WriteBlock<'tabs-item'> = (writer, { data, nodes }) =>
  wrapped('tab', { title: data?.title, icon: data?.icon, slug: data?.slug }, writer.blocks(nodes ?? []));

const tabs: MarkdownBlock<'tabs'> = {
  tags: tagsWithParts('tabs', 'tab', readTab, (tag, key, nodes) => {
    const data = valueOf(tag, 'fullWidth') === 'true' ? { data: { fullWidth: true } } : {};
    return { object: 'block', type: 'tabs', key, nodes, ...data };
  }),
  write: (writer, { data, nodes }) =>
    wrapped('tabs', { fullWidth: trueText(data?.fullWidth) }, textOfParts(writer, nodes, writeTab)),
};

const readStep: ReadPart<StepBlock> = (tag, key, nodes) => {
  const data = defined({ icon: valueOf(tag, 'icon') });
  return { object: 'block', type: 'stepper-step', key, data, nodes };
};

const writeStep: WriteBlock<'stepper-step'> = (writer, { data, nodes }) =>
  wrapped('step', { icon: data?.icon }, writer.blocks(nodes ?? []));

const stepper: MarkdownBlock<'stepper'> = {
  tags: tagsWithParts('stepper', 'step', readStep, (_tag, key, nodes) => ({
    object: 'block',
    type: 'stepper',
    key,
    nodes,
  })),
  write: (writer, { nodes }) => wrapped('stepper', {}, textOfParts(writer, nodes, writeStep)),
};

const readColumn: ReadPart<ColumnBlock> = (tag, key, nodes) => {
  const alignment = valueOf(tag, 'valign') ?? valueOf(tag, 'verticalAlignment');
  const data = defined({
    width: lengthOf(valueOf(tag, 'width')),
    verticalAlignment: oneOf(alignment, ['top', 'middle', 'bottom']),
  });
  return { object: 'block', type: 'column', key, data, nodes };
};

const writeColumn: WriteBlock<'column'> = (writer, { data, nodes }) =>
  wrapped(
    'column',
    { width: lengthText(data?.width), valign: data?.verticalAlignment },
    writer.blocks(nodes ?? []),
  );

const columns: MarkdownBlock<'columns'> = {
  tags: tagsWithParts('columns', 'column', readColumn, (tag, key, nodes) => {
    const data = defined({ fullWidth: trueOnly(valueOf(tag, 'fullWidth')) });
    return { object: 'block', type: 'columns', key, nodes, data, isVoid: false };
  }),
  write: (writer, { data, nodes }) =>
    wrapped('columns', { fullWidth: trueText(data?.fullWidth) }, textOfParts(writer, nodes, writeColumn)),
};

const readUpdate: ReadPart<UpdateBlock> = (tag, key, nodes) => {
  const data = defined({
    date: timestampOf(valueOf(tag, 'date') ?? ''),
    tags: tagsOf(valueOf(tag, 'tags')),
  });
  return { object: 'block', type: 'update', key, data, nodes };
};

const writeUpdate: WriteBlock<'update'> = (writer, { data, nodes }) => {
  const tags = (data?.tags ?? []).map(({ tag }) => tag).join(',');
  return wrapped(
    'update',
    { date: dateOf(data?.date ?? ''), tags: tags === '' ? undefined : tags },
    writer.blocks(nodes ?? []),
  );
};

const updates: MarkdownBlock<'updates'> = {
  tags: tagsWithParts('updates', 'update', readUpdate, (tag, key, nodes) => {
    const format = oneOf(valueOf(tag, 'format'), ['numeric', 'full', 'short']) ?? 'full';
    return { object: 'block', type: 'updates', key, nodes, data: { format } };
  }),
  write: (writer, { data, nodes }) =>
    wrapped('updates', { format: data?.format }, textOfParts(writer, nodes, writeUpdate)),
};

const MIDNIGHT = 'T00:00:00.000Z';
const timestampOf = (date: string): string => (/^\d{4}-\d\d-\d\d$/.test(date) ? date + MIDNIGHT : date);
const dateOf = (date: string): string => (date.endsWith(MIDNIGHT) ? date.slice(0, -MIDNIGHT.length) : date);

function tagsOf(list: string | undefined): NonNullable<UpdateBlock['data']>['tags'] {
  const names = (list ?? '').split(',').map((name) => name.trim());
  const tags = names.filter((name) => name !== '').map((tag) => ({ kind: 'tag', tag }) as const);
  return tags.length > 0 ? tags : undefined;
}

const condition: MarkdownBlock<'if'> = {
  tags: {
    if: {
      end: 'required',
      read: (reader, token, key, tag) => {
        const expression = reader.reading.src.slice(tag.from, tag.to).replace(/[\r\n]+/g, ' ');
        const nodes = reader.blocks(token.children ?? [], true);
        return [{ object: 'block', type: 'if', key, data: { expression }, nodes }];
      },
    },
  },
  write: (writer, { data, nodes }) => {
    const content = writer.blocks(nodes ?? []);
    const expression = data.expression.replace(/[\r\n]+/g, ' ');
    return `{% if ${expression} %}\n${content === '' ? '' : `${content}\n`}{% endif %}`;
  },
};

const prompt: MarkdownBlock<'prompt'> = {
  tags: {
    prompt: {
      end: 'required',
      read: (reader, token, key, tag) => {
        const openIn = valueOf(tag, 'openInAIProviders');
        const data: PromptBlock['data'] = defined({
          description: valueOf(tag, 'description') ?? '',
          icon: valueOf(tag, 'icon'),
          openInAIProviders: openIn === undefined ? undefined : openIn === 'true',
          defaultExpanded: oneOf(valueOf(tag, 'defaultExpanded'), ['hidden', 'partial', 'full']),
        });
        return [
          { object: 'block', type: 'prompt', key, data, nodes: reader.blocks(token.children ?? [], true) },
        ];
      },
    },
  },
  write: (writer, { data, nodes }) =>
    wrapped(
      'prompt',
      {
        description: data?.description,
        icon: data?.icon,
        openInAIProviders: data?.openInAIProviders,
        defaultExpanded: data?.defaultExpanded,
      },
      writer.blocks(nodes ?? []),
    ),
};

export const containers = {
  hint,
  tabs,
  'tabs-item': { write: writeTab },
  stepper,
  'stepper-step': { write: writeStep },
  columns,
  column: { write: writeColumn },
  updates,
  update: { write: writeUpdate },
  if: condition,
  prompt,
};
