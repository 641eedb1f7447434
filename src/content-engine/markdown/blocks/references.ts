import { stringOf, type BlockNode, type Data } from '../../document/nodes.ts';
import { emptyBlock } from '../../document/empty-block.ts';
import { refAt } from '../read/reading.ts';
import { decodeEntities } from '../scan/entities.ts';
import { valueOf, type Tag } from '../scan/tag.ts';
import type { Token } from '../scan/token.ts';
import {
  attributeText,
  bodySpan,
  defined,
  fragmentBlocks,
  tagRef,
  tagText,
  type BlockKind,
  type BlockReader,
  type BlockWriter,
} from './kind.ts';

/** Blocks that show something else: an address, a file, a page, an API. They hold a caption or a link at most. */

/** With an end tag the content is the caption; without one it only follows. */
function withCaption(reader: BlockReader, token: Token, block: BlockNode): BlockNode[] {
  const content = reader.blocks(token.children ?? [], token.closeStart < 0);
  if (token.closeStart < 0) return [block, ...content];
  if (content.some((one) => !emptyBlock(one))) {
    block.fragments = [
      { object: 'fragment', key: `${block.key ?? ''}/caption`, fragment: 'caption', nodes: content },
    ];
  }
  return [block];
}

/** The content is the same link again, for readers that do not know the tag. */
function withLink(reader: BlockReader, token: Token, block: BlockNode): BlockNode[] {
  const content = reader.blocks(token.children ?? [], token.closeStart < 0);
  return token.closeStart < 0 ? [block, ...content] : [block];
}

const withEnd = (writer: BlockWriter, block: BlockNode, name: string, attributes: Data): string => {
  const caption = fragmentBlocks(block, 'caption');
  const start = tagText(name, attributes);
  return caption.length > 0 ? `${start}\n${writer.blocks(caption)}\n{% end${name} %}` : start;
};

export const embed: BlockKind = {
  type: 'embed',
  tag: 'embed',
  read: (reader, token, key) => {
    const tag = token.tag as Tag;
    const url = valueOf(tag, 'url');
    if (url === undefined) return undefined;
    tagRef(reader.reading, tag, 'url', 'embed');
    const data = defined({ url, fullWidth: valueOf(tag, 'fullWidth') === 'true' ? true : undefined });
    return withCaption(reader, token, { object: 'block', type: 'embed', key, data, isVoid: true });
  },
  write: (writer, block) =>
    withEnd(writer, block, 'embed', {
      url: block.data?.['url'],
      fullWidth: block.data?.['fullWidth'] === true ? 'true' : undefined,
    }),
};

export const file: BlockKind = {
  type: 'file',
  tag: 'file',
  read: (reader, token, key) => {
    const ref = valueOf(token.tag as Tag, 'src') && tagRef(reader.reading, token.tag as Tag, 'src', 'file');
    if (!ref) return undefined;
    return withCaption(reader, token, { object: 'block', type: 'file', key, data: { ref }, isVoid: true });
  },
  write: (writer, block) => withEnd(writer, block, 'file', { src: writer.href(block.data?.['ref'], 'file') }),
};

export const contentRef: BlockKind = {
  type: 'content-ref',
  tag: 'content-ref',
  read: (reader, token, key) => {
    const ref = tagRef(reader.reading, token.tag as Tag, 'url', 'content-ref');
    if (!ref) return undefined;
    return withLink(reader, token, {
      object: 'block',
      type: 'content-ref',
      key,
      data: { ref },
      isVoid: true,
    });
  },
  write: (writer, block) => {
    const url = writer.href(block.data?.['ref'], 'content-ref');
    return `${tagText('content-ref', { url })}\n${linkLine(url)}\n{% endcontent-ref %}`;
  },
};

/** `{% page-ref page="x.md" %}`: the older spelling of a content reference. It is read, and kept where it is edited. */
export const pageRef: BlockKind = {
  type: 'content-ref',
  tag: 'page-ref',
  read: (reader, token, key) => {
    const ref = tagRef(reader.reading, token.tag as Tag, 'page', 'content-ref');
    return ref && [{ object: 'block', type: 'content-ref', key, data: { ref }, isVoid: true }];
  },
  write: (writer, block) => tagText('page-ref', { page: writer.href(block.data?.['ref'], 'content-ref') }),
};

/** `[x.md](x.md)`. */
const linkLine = (url: string): string =>
  `[${url.replace(/[\\[\]`*_<&!~$\n\r]/g, (char) => (char < ' ' ? ' ' : `\\${char}`))}](<${url.replace(/[\\<>\n\r]/g, (char) => (char < ' ' ? '%20' : `\\${char}`))}>)`.replace(
    /\(<([^ ()<>\\]+)>\)$/,
    '($1)',
  );

export const reusableContent: BlockKind = {
  type: 'reusable-content',
  tag: 'include',
  read: (reader, token, key) => {
    const { src } = reader.reading;
    const { from, to } = token.tag as Tag;
    const quote = src[from];
    const quoted = (quote === '"' || quote === "'") && src[to - 1] === quote && to - from > 1 ? 1 : 0;
    const href = decodeEntities(src.slice(from + quoted, to - quoted));
    if (href === '') return undefined;
    const ref = refAt(reader.reading, bodySpan(reader.reading), from + quoted, to - quoted, href, 'include');
    return [{ object: 'block', type: 'reusable-content', key, data: { ref }, isVoid: true }];
  },
  write: (writer, block) => `{% include "${attributeText(writer.href(block.data?.['ref'], 'include'))}" %}`,
};

const specOf = (tag: Tag): Data => ({ kind: 'openapi', spec: valueOf(tag, 'spec') ?? '' });
const specName = (block: BlockNode): string =>
  String((block.data?.['ref'] as Data | undefined)?.['spec'] ?? '');

/** `{% openapi src path method %}`, in older repositories also `{% swagger %}`. */
const legacy = (tagName: string): BlockKind => ({
  type: 'swagger',
  tag: tagName,
  read: (reader, token, key) => {
    const tag = token.tag as Tag;
    const ref = tagRef(reader.reading, tag, 'src', 'openapi');
    if (!ref) return undefined;
    const data = defined({
      ref,
      path: valueOf(tag, 'path') ?? '',
      method: valueOf(tag, 'method') ?? '',
      expanded: valueOf(tag, 'expanded') === 'true' ? true : undefined,
      fullWidth: valueOf(tag, 'fullWidth') === 'true' ? true : undefined,
    });
    return withLink(reader, token, { object: 'block', type: 'swagger', key, data, isVoid: true });
  },
  write: (writer, { data = {} }) => {
    const src = writer.href(data['ref'], 'openapi');
    const { path, method, expanded, fullWidth } = data;
    const attributes = {
      src,
      path,
      method,
      expanded: expanded === true ? 'true' : undefined,
      fullWidth: fullWidth === true ? 'true' : undefined,
    };
    return `${tagText('openapi', attributes)}\n${linkLine(src)}\n{% endopenapi %}`;
  },
});

export const openapi = legacy('openapi');
export const swagger = legacy('swagger');

function specBlock(type: string, read: (tag: Tag) => Data, written: (data: Data) => Data): BlockKind {
  return {
    type,
    tag: type,
    read: (reader, token, key) => {
      const tag = token.tag as Tag;
      if (valueOf(tag, 'spec') === undefined) return undefined;
      const data = defined({ ref: specOf(tag), ...read(tag) });
      return withLink(reader, token, { object: 'block', type, key, data, isVoid: true });
    },
    write: (_writer, block) =>
      `${tagText(type, { spec: specName(block), ...written(block.data ?? {}) })}\n{% end${type} %}`,
  };
}

export const openapiOperation = specBlock(
  'openapi-operation',
  (tag) => ({ path: valueOf(tag, 'path') ?? '', method: valueOf(tag, 'method') ?? '' }),
  (data) => ({ path: data['path'], method: data['method'] }),
);

export const openapiWebhook = specBlock(
  'openapi-webhook',
  (tag) => ({ name: valueOf(tag, 'name') ?? '', method: valueOf(tag, 'method') ?? '' }),
  (data) => ({ name: data['name'], method: data['method'] }),
);

export const openapiSchemas = specBlock(
  'openapi-schemas',
  (tag) => ({
    schemas: (valueOf(tag, 'schemas') ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
    grouped: valueOf(tag, 'grouped') === undefined ? undefined : valueOf(tag, 'grouped') !== 'false',
  }),
  (data) => ({
    schemas: Array.isArray(data['schemas']) ? data['schemas'].join(',') : undefined,
    grouped: data['grouped'],
  }),
);

/** Numbers, `true`, `false` and `null` are written without quotes: in quotes they are text. */
const SCALAR = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?)$/;

/** `{% @name/block key="value" %}`; a value that is no string is written as JSON. */
export const integration: BlockKind = {
  type: 'integration',
  tag: '@',
  read: (reader, token, key) => {
    const tag = token.tag as Tag;
    const { src } = reader.reading;
    const [name = '', ...rest] = tag.name.slice(1).split('/');
    const props: Data = {};
    const data: Data = { integration: name, block: rest.join('/'), props };
    for (const { name: prop, value, from } of tag.attributes) {
      if (SCALAR.test(value) && src[from - 1] === '=') props[prop] = JSON.parse(value) as unknown;
      else if (prop === 'fullWidth' && (value === 'true' || value === 'false'))
        data['fullWidth'] = value === 'true';
      else if (prop === 'url') data['url'] = value;
      else if (prop === 'action' && isAction(jsonOf(value))) data['action'] = jsonOf(value);
      else props[prop] = jsonOf(value);
    }
    return [{ object: 'block', type: 'integration', key, data, isVoid: true }];
  },
  write: (_writer, { data = {} }) => {
    const attributes: Data = {};
    let scalars = '';
    for (const [prop, value] of Object.entries((data['props'] ?? {}) as Data)) {
      const isScalar = value === null || typeof value === 'number' || typeof value === 'boolean';
      if (isScalar && SCALAR.test(String(value))) scalars += ` ${prop}=${String(value)}`;
      else
        attributes[prop] =
          typeof value === 'string' && jsonOf(value) === value ? value : JSON.stringify(value);
    }
    if (isAction(data['action'])) attributes['action'] = JSON.stringify(data['action']);
    if (stringOf(data, 'url') !== undefined) attributes['url'] = data['url'];
    if (typeof data['fullWidth'] === 'boolean') attributes['fullWidth'] = data['fullWidth'];
    const name = `@${stringOf(data, 'integration') ?? ''}/${stringOf(data, 'block') ?? ''}`;
    return tagText(name, attributes).replace(/ %\}$/, `${scalars} %}`);
  },
};

const isAction = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'action' in value && typeof value.action === 'string';

/** Only lists, objects and quoted strings are taken for JSON: `5` and `true` stay the text they are. */
function jsonOf(value: string): unknown {
  if (!/^[[{"]/.test(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}
