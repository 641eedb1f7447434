import {
  captionOf,
  type BlockOf,
  type ContentRef,
  type ContentRefBlock,
  type EmbedBlock,
  type FileBlock,
  type IntegrationBlock,
} from '../../../document/index.ts';
import { describe, external, linked, titled } from '../links.ts';
import { literal, words } from '../literal.ts';
import { inside, type Context, type Typesetter } from '../context.ts';

/** Blocks that show something else. On paper they name it, and link to it. */

const caption = (context: Context, block: EmbedBlock | FileBlock): string =>
  context.blocks(inside(context), captionOf(block));

const card = (title: string, note: string, below = ''): string => `#card([${title}], [${note}])[${below}]`;

export const embed: Typesetter<EmbedBlock> = (context, block) => {
  const { url } = block.data;
  const { title = hostOf(url) } = describe(context, { kind: 'url', url });
  const name = title === url ? hostOf(url) : title;
  return card(external(url, words(name)), external(url, words(url), 'plain-link'), caption(context, block));
};

const hostOf = (url: string): string => /^[a-z]+:\/\/(?:www\.)?([^/?#]+)/i.exec(url)?.[1] ?? url;

export const file: Typesetter<FileBlock> = (context, block) => {
  const { ref } = block.data;
  const { url } = describe(context, ref);
  const note = url === undefined ? '' : external(url, words(url), 'plain-link');
  return card(titled(context, ref), note, caption(context, block));
};

export const contentRef: Typesetter<ContentRefBlock> = (context, { data: { ref } }) => {
  const page = ref.kind === 'page' ? context.book.pages.find((one) => one.id === ref.page) : undefined;
  const { url } = describe(context, ref);
  const note = page?.description ? words(page.description) : external(url, words(url ?? ''), 'plain-link');
  return card(titled(context, ref), note);
};

const endpoint = (context: Context, ref: ContentRef, method: string, path: string): string => {
  const { title, url } = describe(context, ref);
  const source = title ?? url ?? '';
  const note = source === '' ? '' : linked(context, ref, words(source));
  return `#endpoint(${literal(method.toUpperCase())}, ${literal(path)}, [${note}])`;
};

export const openapiOperation: Typesetter<BlockOf<'openapi-operation' | 'swagger'>> = (context, { data }) =>
  endpoint(context, data.ref, data.method, data.path);

export const openapiWebhook: Typesetter<BlockOf<'openapi-webhook'>> = (context, { data }) =>
  endpoint(context, data.ref, data.method, data.name);

export const openapiSchemas: Typesetter<BlockOf<'openapi-schemas'>> = (context, { data }) => {
  const names = data.schemas.map((name) => `#raw(${literal(name)})`).join('#", "');
  return card(titled(context, data.ref), names);
};

/** Shows the name, address and properties of an integration: its drawing is unknown. */
export const integration: Typesetter<IntegrationBlock> = (_context, { data }) => {
  const name = [data.integration, data.block].filter(Boolean).join(' / ');
  const props = Object.entries(data.props ?? {}).map(
    ([key, value]) =>
      `#raw(${literal(key)})#": "${words(typeof value === 'string' ? value : JSON.stringify(value))}`,
  );
  const { url } = data;
  const lines = [...(url === undefined ? [] : [external(url, words(url), 'plain-link')]), ...props];
  return card(words(name), lines.join('#linebreak()'), '');
};
