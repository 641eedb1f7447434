import type {
  BlockNode,
  ColumnBlock,
  ColumnsBlock,
  HintBlock,
  PromptBlock,
  StepBlock,
  TabBlock,
  UpdateBlock,
} from '../../document/index.ts';
import { lengthOf } from '../read/images.ts';
import { withLineFeeds } from '../scan/chars.ts';
import { valueOf, type TemplateTag } from '../scan/template-tag.ts';
import type { Token } from '../scan/token.ts';
import { lengthText } from '../write/image-element.ts';
import { oneOf } from './one-of.ts';
import { defined, trueOnly, wrapped, type BlockReader, type TagBlock, type WriteBlock } from './kind.ts';

/** Blocks between a start and an end tag that hold other blocks. */

export const hint: TagBlock<'hint'> = {
  read: (reader, token, key, tag) => {
    const data: HintBlock['data'] = defined({
      style: oneOf(valueOf(tag, 'style'), ['info', 'warning', 'danger', 'success']) ?? 'info',
      icon: valueOf(tag, 'icon'),
    });
    return [{ object: 'block', type: 'hint', key, data, nodes: reader.blocks(token.children ?? [], false) }];
  },
  write: (writer, { data, nodes }) =>
    wrapped('hint', { style: data?.style, icon: data?.icon }, writer.blocks(nodes ?? [])),
};

/** The parts of a container, `{% tabs %}{% tab %}…`. Blocks between the parts are moved behind the container. */
function readParts<Part extends BlockNode>(
  reader: BlockReader,
  token: Token,
  name: string,
  readPart: (tag: TemplateTag, key: string, nodes: BlockNode[]) => Part,
): { nodes: Part[]; strays: BlockNode[] } {
  const nodes: Part[] = [];
  const strays: Token[] = [];
  for (const child of token.children ?? []) {
    if (child.tag?.name !== name) {
      strays.push(child);
      continue;
    }
    const key = reader.key(child);
    const node = readPart(child.tag, key, reader.blocks(child.children ?? [], true));
    child.nodes = [node];
    nodes.push(node);
  }
  return { nodes, strays: reader.blocks(strays, true) };
}

export const tabs: TagBlock<'tabs'> = {
  read: (reader, token, key, tag) => {
    const { nodes, strays } = readParts(reader, token, 'tab', (tabTag, tabKey, content): TabBlock => {
      const data: TabBlock['data'] = defined({
        title: valueOf(tabTag, 'title'),
        icon: valueOf(tabTag, 'icon'),
        slug: valueOf(tabTag, 'slug'),
      });
      const tab: TabBlock = { object: 'block', type: 'tabs-item', key: tabKey, data, nodes: content };
      reader.reading.parts.push(tab);
      return tab;
    });
    const isWide = valueOf(tag, 'fullWidth') === 'true';
    const data = isWide ? { data: { fullWidth: true } } : {};
    return [{ object: 'block', type: 'tabs', key, nodes, ...data }, ...strays];
  },
  write: (writer, { data, nodes = [] }) => {
    const content = nodes.map((tab) => writeTab(writer, tab)).join('\n\n');
    return wrapped('tabs', { fullWidth: data?.fullWidth === true ? 'true' : undefined }, content);
  },
};

export const writeTab: WriteBlock<'tabs-item'> = (writer, { data, nodes }) =>
  wrapped('tab', { title: data?.title, icon: data?.icon, slug: data?.slug }, writer.blocks(nodes ?? []));

export const stepper: TagBlock<'stepper'> = {
  read: (reader, token, key) => {
    const { nodes, strays } = readParts(reader, token, 'step', (tag, stepKey, content): StepBlock => ({
      object: 'block',
      type: 'stepper-step',
      key: stepKey,
      data: defined({ icon: valueOf(tag, 'icon') }),
      nodes: content,
    }));
    return [{ object: 'block', type: 'stepper', key, nodes }, ...strays];
  },
  write: (writer, { nodes = [] }) =>
    wrapped('stepper', {}, nodes.map((step) => writeStep(writer, step)).join('\n\n')),
};

export const writeStep: WriteBlock<'stepper-step'> = (writer, { data, nodes }) =>
  wrapped('step', { icon: data?.icon }, writer.blocks(nodes ?? []));

export const columns: TagBlock<'columns'> = {
  read: (reader, token, key, tag) => {
    const { nodes, strays } = readParts(
      reader,
      token,
      'column',
      (columnTag, columnKey, content): ColumnBlock => {
        const data: ColumnBlock['data'] = defined({
          width: lengthOf(valueOf(columnTag, 'width')),
          verticalAlignment: oneOf(valueOf(columnTag, 'valign') ?? valueOf(columnTag, 'verticalAlignment'), [
            'top',
            'middle',
            'bottom',
          ]),
        });
        return { object: 'block', type: 'column', key: columnKey, data, nodes: content };
      },
    );
    const data: ColumnsBlock['data'] = defined({ fullWidth: trueOnly(valueOf(tag, 'fullWidth')) });
    return [{ object: 'block', type: 'columns', key, nodes, data, isVoid: false }, ...strays];
  },
  write: (writer, { data, nodes = [] }) => {
    const content = nodes.map((column) => writeColumn(writer, column)).join('\n\n');
    return wrapped('columns', { fullWidth: data?.fullWidth === true ? 'true' : undefined }, content);
  },
};

export const writeColumn: WriteBlock<'column'> = (writer, { data, nodes }) =>
  wrapped(
    'column',
    { width: lengthText(data?.width), valign: data?.verticalAlignment },
    writer.blocks(nodes ?? []),
  );

export const updates: TagBlock<'updates'> = {
  read: (reader, token, key, tag) => {
    const { nodes, strays } = readParts(
      reader,
      token,
      'update',
      (updateTag, updateKey, content): UpdateBlock => {
        const data: UpdateBlock['data'] = defined({
          date: timestampOf(valueOf(updateTag, 'date') ?? ''),
          tags: tagsOf(valueOf(updateTag, 'tags')),
        });
        return { object: 'block', type: 'update', key: updateKey, data, nodes: content };
      },
    );
    const format = oneOf(valueOf(tag, 'format'), ['numeric', 'full', 'short']) ?? 'full';
    return [{ object: 'block', type: 'updates', key, nodes, data: { format } }, ...strays];
  },
  write: (writer, { data, nodes = [] }) => {
    const content = nodes.map((update) => writeUpdate(writer, update)).join('\n\n');
    return wrapped('updates', { format: data?.format }, content);
  },
};

export const writeUpdate: WriteBlock<'update'> = (writer, { data, nodes }) => {
  const tags = (data?.tags ?? []).map(({ tag }) => tag).join(',');
  return wrapped(
    'update',
    { date: dateOf(data?.date ?? ''), tags: tags === '' ? undefined : tags },
    writer.blocks(nodes ?? []),
  );
};

const MIDNIGHT = 'T00:00:00.000Z';
const timestampOf = (date: string): string => (/^\d{4}-\d\d-\d\d$/.test(date) ? date + MIDNIGHT : date);
const dateOf = (date: string): string => (date.endsWith(MIDNIGHT) ? date.slice(0, -MIDNIGHT.length) : date);

function tagsOf(list: string | undefined): NonNullable<UpdateBlock['data']>['tags'] {
  const names = (list ?? '').split(',').map((name) => name.trim());
  const tags = names.filter((name) => name !== '').map((tag) => ({ kind: 'tag', tag }) as const);
  return tags.length > 0 ? tags : undefined;
}

export const condition: TagBlock<'if'> = {
  read: (reader, token, key, tag) => {
    const expression = withLineFeeds(reader.reading.src.slice(tag.from, tag.to));
    const nodes = reader.blocks(token.children ?? [], true);
    return [{ object: 'block', type: 'if', key, data: { expression }, nodes }];
  },
  write: (writer, { data, nodes }) => {
    const content = writer.blocks(nodes ?? []);
    const expression = data.expression.replace(/[\r\n]+/g, ' ');
    return `{% if ${expression} %}\n${content === '' ? '' : `${content}\n`}{% endif %}`;
  },
};

export const prompt: TagBlock<'prompt'> = {
  read: (reader, token, key, tag) => {
    const openIn = valueOf(tag, 'openInAIProviders');
    const data: PromptBlock['data'] = defined({
      description: valueOf(tag, 'description') ?? '',
      icon: valueOf(tag, 'icon'),
      openInAIProviders: openIn === undefined ? undefined : openIn === 'true',
      defaultExpanded: oneOf(valueOf(tag, 'defaultExpanded'), ['hidden', 'partial', 'full']),
    });
    return [{ object: 'block', type: 'prompt', key, data, nodes: reader.blocks(token.children ?? [], true) }];
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
