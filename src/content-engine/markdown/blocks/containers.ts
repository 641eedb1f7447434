import { blocksOf, stringOf, type BlockNode, type Data } from '../../document/nodes.ts';
import { lengthOf } from '../read/images.ts';
import { withLineFeeds } from '../scan/chars.ts';
import { valueOf, type Tag } from '../scan/tag.ts';
import { lengthText } from '../write/image-element.ts';
import type { Token } from '../scan/token.ts';
import { defined, wrapped, type BlockKind, type BlockReader } from './kind.ts';

/** Blocks between a start and an end tag that hold other blocks. */

const STYLES = new Set(['info', 'warning', 'danger', 'success']);

export const hint: BlockKind = {
  type: 'hint',
  tag: 'hint',
  read: (reader, token, key) => {
    const style = valueOf(token.tag as Tag, 'style') ?? 'info';
    const data = defined({
      style: STYLES.has(style) ? style : 'info',
      icon: valueOf(token.tag as Tag, 'icon'),
    });
    return [{ object: 'block', type: 'hint', key, data, nodes: reader.blocks(token.children ?? [], false) }];
  },
  write: (writer, block) =>
    wrapped(
      'hint',
      { style: block.data?.['style'], icon: block.data?.['icon'] },
      writer.blocks(blocksOf(block)),
    ),
};

/** A list of parts, `{% tabs %}{% tab %}…`: what stands between the parts comes behind the whole. */
function parts(
  reader: BlockReader,
  token: Token,
  name: string,
  part: (child: Token, key: string) => BlockNode,
): { nodes: BlockNode[]; strays: BlockNode[] } {
  const nodes: BlockNode[] = [];
  const strays: Token[] = [];
  for (const child of token.children ?? []) {
    if (child.tag?.name !== name) {
      strays.push(child);
      continue;
    }
    const node = part(child, reader.key(child));
    child.nodes = [node];
    if (node.type === 'tabs-item') reader.reading.parts.push(node);
    nodes.push(node);
  }
  return { nodes, strays: reader.blocks(strays, true) };
}

interface PartNames {
  readonly outer: string;
  readonly inner: string;
  readonly innerType: string;
}

function listOfParts(
  names: PartNames,
  outerData: (tag: Tag) => Data | undefined,
  innerData: (tag: Tag) => Data,
  outerWritten: (data: Data) => Data,
  innerWritten: (data: Data) => Data,
): [BlockKind, BlockKind] {
  const outer: BlockKind = {
    type: names.outer,
    tag: names.outer,
    read: (reader, token, key) => {
      const { nodes, strays } = parts(reader, token, names.inner, (child, childKey) => ({
        object: 'block',
        type: names.innerType,
        key: childKey,
        data: defined(innerData(child.tag as Tag)),
        nodes: reader.blocks(child.children ?? [], true),
      }));
      const block: BlockNode = { object: 'block', type: names.outer, key, nodes };
      const data = outerData(token.tag as Tag);
      if (data) block.data = defined(data);
      if (names.outer === 'columns') block.isVoid = false;
      return [block, ...strays];
    },
    write: (writer, block) =>
      wrapped(
        names.outer,
        outerWritten(block.data ?? {}),
        blocksOf(block)
          .map((part) => inner.write(writer, part))
          .join('\n\n'),
      ),
  };
  const inner: BlockKind = {
    type: names.innerType,
    write: (writer, block) =>
      wrapped(names.inner, innerWritten(block.data ?? {}), writer.blocks(blocksOf(block))),
  };
  return [outer, inner];
}

export const tabs = listOfParts(
  { outer: 'tabs', inner: 'tab', innerType: 'tabs-item' },
  (tag) => (valueOf(tag, 'fullWidth') === 'true' ? { fullWidth: true } : undefined),
  (tag) => ({ title: valueOf(tag, 'title'), icon: valueOf(tag, 'icon'), slug: valueOf(tag, 'slug') }),
  (data) => ({ fullWidth: data['fullWidth'] === true ? 'true' : undefined }),
  (data) => ({ title: data['title'], icon: data['icon'], slug: data['slug'] }),
);

export const stepper = listOfParts(
  { outer: 'stepper', inner: 'step', innerType: 'stepper-step' },
  () => undefined,
  (tag) => ({ icon: valueOf(tag, 'icon') }),
  () => ({}),
  (data) => ({ icon: data['icon'] }),
);

export const columns = listOfParts(
  { outer: 'columns', inner: 'column', innerType: 'column' },
  (tag) => ({ fullWidth: valueOf(tag, 'fullWidth') === 'true' ? true : undefined }),
  (tag) => ({ width: lengthOf(valueOf(tag, 'width')), verticalAlignment: verticalOf(tag) }),
  (data) => ({ fullWidth: data['fullWidth'] === true ? 'true' : undefined }),
  (data) => ({ width: lengthText(data['width']), valign: data['verticalAlignment'] }),
);

const verticalOf = (tag: Tag): string | undefined => {
  const value = valueOf(tag, 'valign') ?? valueOf(tag, 'verticalAlignment');
  return value === 'top' || value === 'middle' || value === 'bottom' ? value : undefined;
};

const FORMATS = new Set(['numeric', 'full', 'short']);

export const updates = listOfParts(
  { outer: 'updates', inner: 'update', innerType: 'update' },
  (tag) => {
    const format = valueOf(tag, 'format') ?? 'full';
    return { format: FORMATS.has(format) ? format : 'full' };
  },
  (tag) => ({ date: timestampOf(valueOf(tag, 'date') ?? ''), tags: tagsOf(valueOf(tag, 'tags')) }),
  (data) => ({ format: data['format'] }),
  (data) => ({ date: dateOf(stringOf(data, 'date') ?? ''), tags: tagNames(data['tags']) }),
);

const MIDNIGHT = 'T00:00:00.000Z';
const timestampOf = (date: string): string => (/^\d{4}-\d\d-\d\d$/.test(date) ? date + MIDNIGHT : date);
const dateOf = (date: string): string => (date.endsWith(MIDNIGHT) ? date.slice(0, -MIDNIGHT.length) : date);

const tagsOf = (list: string | undefined): Data[] | undefined => {
  const names = (list ?? '').split(',').map((name) => name.trim());
  const tags = names.filter((name) => name !== '').map((tag) => ({ kind: 'tag', tag }));
  return tags.length > 0 ? tags : undefined;
};

const tagNames = (tags: unknown): string | undefined =>
  Array.isArray(tags) && tags.length > 0
    ? tags.map((one: { tag?: string }) => one.tag ?? '').join(',')
    : undefined;

export const condition: BlockKind = {
  type: 'if',
  tag: 'if',
  read: (reader, token, key) => {
    const tag = token.tag as Tag;
    const expression = withLineFeeds(reader.reading.src.slice(tag.from, tag.to));
    return [
      {
        object: 'block',
        type: 'if',
        key,
        data: { expression },
        nodes: reader.blocks(token.children ?? [], true),
      },
    ];
  },
  write: (writer, block) => {
    const content = writer.blocks(blocksOf(block));
    const expression = String(block.data?.['expression'] ?? '').replace(/[\r\n]+/g, ' ');
    return `{% if ${expression} %}\n${content === '' ? '' : `${content}\n`}{% endif %}`;
  },
};

const EXPANDED = new Set(['hidden', 'partial', 'full']);

export const prompt: BlockKind = {
  type: 'prompt',
  tag: 'prompt',
  read: (reader, token, key) => {
    const tag = token.tag as Tag;
    const expanded = valueOf(tag, 'defaultExpanded');
    const data = defined({
      description: valueOf(tag, 'description') ?? '',
      icon: valueOf(tag, 'icon'),
      openInAIProviders:
        valueOf(tag, 'openInAIProviders') === undefined
          ? undefined
          : valueOf(tag, 'openInAIProviders') === 'true',
      defaultExpanded: expanded !== undefined && EXPANDED.has(expanded) ? expanded : undefined,
    });
    return [{ object: 'block', type: 'prompt', key, data, nodes: reader.blocks(token.children ?? [], true) }];
  },
  write: (writer, { data = {}, ...block }) => {
    const { description, icon, openInAIProviders, defaultExpanded } = data;
    return wrapped(
      'prompt',
      { description, icon, openInAIProviders, defaultExpanded },
      writer.blocks(blocksOf(block)),
    );
  },
};
