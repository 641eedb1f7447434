import {
  captionOf,
  isEmpty,
  type BlockNode,
  type BlockOf,
  type RefOf,
  type EmbedBlock,
  type FileBlock,
  type IntegrationData,
} from '../../document/index.ts';
import { refAt } from '../read/reading.ts';
import { decodeEntities } from '../scan/syntax/entities.ts';
import { valueOf, type TemplateTag } from '../scan/syntax/template-tag.ts';
import type { Token } from '../scan/token.ts';
import {
  attributeText,
  bodySpan,
  defined,
  flag,
  tagRef,
  tagText,
  trueOnly,
  trueText,
  type Attributes,
  type BlockReader,
  type BlockWriter,
  type MarkdownBlock,
  type ReadTag,
  type WriteBlock,
} from './kind.ts';

/** Blocks that show something else: an address, a file, a page, an API. Their only content is a caption or a link. */

/** The content before an end tag is the caption. Without an end tag, the caption follows the block. */
function withCaption(reader: BlockReader, token: Token, block: FileBlock | EmbedBlock): BlockNode[] {
  const content = reader.blocks(token.children ?? [], token.closeStart < 0);
  if (token.closeStart < 0) return [block, ...content];
  if (content.some((one) => !isEmpty(one))) {
    block.fragments = [
      { object: 'fragment', key: `${block.key ?? ''}/caption`, fragment: 'caption', nodes: content },
    ];
  }
  return [block];
}

/** The content repeats the link, for readers that do not know the tag. */
function withLink(reader: BlockReader, token: Token, block: BlockNode): BlockNode[] {
  const content = reader.blocks(token.children ?? [], token.closeStart < 0);
  return token.closeStart < 0 ? [block, ...content] : [block];
}

const captioned = (writer: BlockWriter, block: FileBlock | EmbedBlock, startTag: string): string => {
  const caption = captionOf(block);
  return caption.length > 0 ? `${startTag}\n${writer.blocks(caption)}\n{% end${block.type} %}` : startTag;
};

const embed: MarkdownBlock<'embed'> = {
  tags: {
    embed: {
      end: 'optional',
      read: (reader, token, key, tag) => {
        const url = valueOf(tag, 'url');
        if (url === undefined) return undefined;
        tagRef(reader.reading, tag, 'url', 'embed');
        const data: EmbedBlock['data'] = defined({ url, fullWidth: trueOnly(valueOf(tag, 'fullWidth')) });
        return withCaption(reader, token, { object: 'block', type: 'embed', key, data, isVoid: true });
      },
    },
  },
  write: (writer, block) => {
    const { url, fullWidth } = block.data;
    const tag = tagText('embed', { url, fullWidth: trueText(fullWidth) });
    return captioned(writer, block, tag);
  },
};

const file: MarkdownBlock<'file'> = {
  tags: {
    file: {
      end: 'optional',
      read: (reader, token, key, tag) => {
        const ref = valueOf(tag, 'src') ? tagRef(reader.reading, tag, 'src', 'file') : undefined;
        if (!ref) return undefined;
        return withCaption(reader, token, {
          object: 'block',
          type: 'file',
          key,
          data: { ref },
          isVoid: true,
        });
      },
    },
  },
  write: (writer, block) =>
    captioned(writer, block, tagText('file', { src: writer.href(block.data.ref, 'file') })),
};

/** `{% page-ref page="x.md" %}`: the older form of a content reference. It is read, and an edit keeps it. */
const readPageRef: ReadTag = (reader, _token, key, tag) => {
  const ref = tagRef(reader.reading, tag, 'page', 'content-ref');
  return ref && [{ object: 'block', type: 'content-ref', key, data: { ref }, isVoid: true }];
};

export const writePageRef: WriteBlock<'content-ref'> = (writer, { data }) =>
  tagText('page-ref', { page: writer.href(data.ref, 'content-ref') });

const contentRef: MarkdownBlock<'content-ref'> = {
  tags: {
    'page-ref': { end: 'none', read: readPageRef },
    'content-ref': {
      end: 'optional',
      read: (reader, token, key, tag) => {
        const ref = tagRef(reader.reading, tag, 'url', 'content-ref');
        if (!ref) return undefined;
        return withLink(reader, token, {
          object: 'block',
          type: 'content-ref',
          key,
          data: { ref },
          isVoid: true,
        });
      },
    },
  },
  write: (writer, { data }) => {
    const url = writer.href(data.ref, 'content-ref');
    return `${tagText('content-ref', { url })}\n${linkLine(url)}\n{% endcontent-ref %}`;
  },
};

/** `[x.md](x.md)`. */
const linkLine = (url: string): string =>
  `[${url.replace(/[\\[\]`*_<&!~$\n\r]/g, (char) => (char < ' ' ? ' ' : `\\${char}`))}](<${url.replace(/[\\<>\n\r]/g, (char) => (char < ' ' ? '%20' : `\\${char}`))}>)`.replace(
    /\(<([^ ()<>\\]+)>\)$/,
    '($1)',
  );

const reusableContent: MarkdownBlock<'reusable-content'> = {
  tags: {
    include: {
      end: 'none',
      read: (reader, _token, key, { from, to }) => {
        const { src } = reader.reading;
        const quote = src[from];
        const quoted = (quote === '"' || quote === "'") && src[to - 1] === quote && to - from > 1 ? 1 : 0;
        const href = decodeEntities(src.slice(from + quoted, to - quoted));
        if (href === '') return undefined;
        const ref = refAt(
          reader.reading,
          bodySpan(reader.reading),
          from + quoted,
          to - quoted,
          href,
          'include',
        );
        return [{ object: 'block', type: 'reusable-content', key, data: { ref }, isVoid: true }];
      },
    },
  },
  write: (writer, { data }) => `{% include "${attributeText(writer.href(data.ref, 'include'))}" %}`,
};

/** `{% openapi src path method %}`, in older repositories also `{% swagger %}`. */
const readSwagger: ReadTag = (reader, token, key, tag) => {
  const ref = tagRef(reader.reading, tag, 'src', 'openapi');
  if (!ref) return undefined;
  const data: BlockOf<'swagger'>['data'] = defined({
    ref,
    path: valueOf(tag, 'path') ?? '',
    method: valueOf(tag, 'method') ?? '',
    expanded: trueOnly(valueOf(tag, 'expanded')),
    fullWidth: trueOnly(valueOf(tag, 'fullWidth')),
  });
  return withLink(reader, token, { object: 'block', type: 'swagger', key, data, isVoid: true });
};

const swagger: MarkdownBlock<'swagger'> = {
  tags: {
    openapi: { end: 'optional', read: readSwagger },
    swagger: { end: 'optional', read: readSwagger },
  },
  write: (writer, { data }) => {
    const src = writer.href(data.ref, 'openapi');
    const { path, method, expanded, fullWidth } = data;
    const attributes = {
      src,
      path,
      method,
      expanded: trueText(expanded),
      fullWidth: trueText(fullWidth),
    };
    return `${tagText('openapi', attributes)}\n${linkLine(src)}\n{% endopenapi %}`;
  },
};

/** A block of a specification of the organization: `{% openapi-webhook spec="" … %}`. */
const ofSpec = <Type extends 'openapi-operation' | 'openapi-webhook' | 'openapi-schemas'>(
  type: Type,
  blockOf: (ref: RefOf<'openapi'>, tag: TemplateTag, key: string) => BlockNode,
  attributesOf: (block: BlockOf<Type>) => Attributes,
): MarkdownBlock<Type> => ({
  tags: {
    [type]: {
      end: 'optional',
      read: (reader, token, key, tag) => {
        const spec = valueOf(tag, 'spec');
        return spec === undefined
          ? undefined
          : withLink(reader, token, blockOf({ kind: 'openapi', spec }, tag, key));
      },
    },
  },
  write: (_writer, block) => `${tagText(type, attributesOf(block))}\n{% end${type} %}`,
});

const openapiOperation = ofSpec(
  'openapi-operation',
  (ref, tag, key) => {
    const data = { ref, path: valueOf(tag, 'path') ?? '', method: valueOf(tag, 'method') ?? '' };
    return { object: 'block', type: 'openapi-operation', key, data, isVoid: true };
  },
  ({ data: { ref, path, method } }) => ({ spec: ref.spec, path, method }),
);

const openapiWebhook = ofSpec(
  'openapi-webhook',
  (ref, tag, key) => {
    const data = { ref, name: valueOf(tag, 'name') ?? '', method: valueOf(tag, 'method') ?? '' };
    return { object: 'block', type: 'openapi-webhook', key, data, isVoid: true };
  },
  ({ data: { ref, name, method } }) => ({ spec: ref.spec, name, method }),
);

const openapiSchemas = ofSpec(
  'openapi-schemas',
  (ref, tag, key) => {
    const names = (valueOf(tag, 'schemas') ?? '').split(',').map((name) => name.trim());
    const schemas = names.filter((name) => name !== '');
    const data = defined({ ref, schemas, grouped: flag(valueOf(tag, 'grouped')) });
    return { object: 'block', type: 'openapi-schemas', key, data, isVoid: true };
  },
  ({ data: { ref, schemas, grouped } }) => ({ spec: ref.spec, schemas: schemas.join(','), grouped }),
);

/** Numbers, `true`, `false` and `null` are written without quotes: in quotes they are text. */
const SCALAR = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?)$/;

/** `{% @name/block key="value" %}`; a value that is no string is written as JSON. */
const integration: MarkdownBlock<'integration'> = {
  tags: {
    '@': {
      end: 'none',
      read: (reader, _token, key, tag) => {
        const { src } = reader.reading;
        const [name = '', ...rest] = tag.name.slice(1).split('/');
        const props: Record<string, unknown> = {};
        const data: IntegrationData = { integration: name, block: rest.join('/'), props };
        for (const { name: prop, value, from } of tag.attributes) {
          const json = jsonOf(value);
          if (SCALAR.test(value) && src[from - 1] === '=') props[prop] = JSON.parse(value);
          else if (prop === 'fullWidth' && (value === 'true' || value === 'false'))
            data.fullWidth = value === 'true';
          else if (prop === 'url') data.url = value;
          else if (prop === 'action' && isAction(json)) data.action = json;
          else props[prop] = json;
        }
        return [{ object: 'block', type: 'integration', key, data, isVoid: true }];
      },
    },
  },
  write: (_writer, { data }) => {
    const attributes: Record<string, string | boolean> = {};
    let scalars = '';
    for (const [prop, value] of Object.entries(data.props ?? {})) {
      const isScalar = value === null || typeof value === 'number' || typeof value === 'boolean';
      if (isScalar && SCALAR.test(String(value))) scalars += ` ${prop}=${String(value)}`;
      else
        attributes[prop] =
          typeof value === 'string' && jsonOf(value) === value ? value : JSON.stringify(value);
    }
    if (data.action) attributes['action'] = JSON.stringify(data.action);
    if (data.url !== undefined) attributes['url'] = data.url;
    if (data.fullWidth !== undefined) attributes['fullWidth'] = data.fullWidth;
    const name = `@${data.integration}/${data.block}`;
    return tagText(name, attributes).replace(/ %\}$/, `${scalars} %}`);
  },
};

const isAction = (value: unknown): value is { action: string } =>
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

export const references = {
  embed,
  file,
  'content-ref': contentRef,
  'reusable-content': reusableContent,
  swagger,
  'openapi-operation': openapiOperation,
  'openapi-webhook': openapiWebhook,
  'openapi-schemas': openapiSchemas,
  integration,
};
