import { stringOf } from '../../document/nodes.ts';
import type { BlockNode, ContentRef } from '../../markdown/index.ts';
import { describe, external, linked, titled } from './links.ts';
import { literal, words } from './literal.ts';
import { inside, type Setting, type Typesetter } from './context.ts';

/** Blocks that show something else, as far as that can be shown on paper: what it is, and where. */

const refOf = (block: BlockNode): ContentRef | undefined => block.data?.['ref'] as ContentRef | undefined;

const caption = (setting: Setting, block: BlockNode): string =>
  setting.blocks(
    inside(setting),
    (block.fragments ?? []).filter((one) => one.fragment === 'caption').flatMap((one) => one.nodes),
  );

const card = (title: string, note: string, below = ''): string => `#card([${title}], [${note}])[${below}]`;

export const embed: Typesetter = (setting, block) => {
  const url = stringOf(block.data, 'url') ?? '';
  const { title = hostOf(url) } = describe(setting, { kind: 'url', url });
  const name = title === url ? hostOf(url) : title;
  return card(external(url, words(name)), external(url, words(url), 'plain-link'), caption(setting, block));
};

const hostOf = (url: string): string => /^[a-z]+:\/\/(?:www\.)?([^/?#]+)/i.exec(url)?.[1] ?? url;

export const file: Typesetter = (setting, block) => {
  const ref = refOf(block);
  const { url } = describe(setting, ref);
  const note = url === undefined ? '' : external(url, words(url), 'plain-link');
  return card(titled(setting, ref), note, caption(setting, block));
};

export const contentRef: Typesetter = (setting, block) => {
  const ref = refOf(block);
  const page = ref?.kind === 'page' ? setting.book.pages.find((one) => one.id === ref.page) : undefined;
  const { url } = describe(setting, ref);
  const note = page?.description ? words(page.description) : external(url, words(url ?? ''), 'plain-link');
  return card(titled(setting, ref), note);
};

const endpoint = (setting: Setting, block: BlockNode, path: string): string => {
  const method = (stringOf(block.data, 'method') ?? '').toUpperCase();
  const { title, url } = describe(setting, refOf(block));
  const source = title ?? url ?? '';
  const note = source === '' ? '' : linked(setting, refOf(block), words(source));
  return `#endpoint(${literal(method)}, ${literal(path)}, [${note}])`;
};

export const openapiOperation: Typesetter = (setting, block) =>
  endpoint(setting, block, stringOf(block.data, 'path') ?? '');

export const openapiWebhook: Typesetter = (setting, block) =>
  endpoint(setting, block, stringOf(block.data, 'name') ?? '');

export const openapiSchemas: Typesetter = (setting, block) => {
  const schemas = Array.isArray(block.data?.['schemas']) ? (block.data['schemas'] as unknown[]) : [];
  const names = schemas.map((name) => `#raw(${literal(String(name))})`).join('#", "');
  return card(titled(setting, refOf(block)), names);
};

/** What an integration would draw is not known here: its name, its address, and its settings are. */
export const integration: Typesetter = (_setting, block) => {
  const data = block.data ?? {};
  const name = [stringOf(data, 'integration'), stringOf(data, 'block')].filter(Boolean).join(' / ');
  const props = Object.entries((data['props'] ?? {}) as Record<string, unknown>).map(
    ([key, value]) =>
      `#raw(${literal(key)})#": "${words(typeof value === 'string' ? value : JSON.stringify(value))}`,
  );
  const url = stringOf(data, 'url');
  const lines = [...(url === undefined ? [] : [external(url, words(url), 'plain-link')]), ...props];
  return card(words(name), lines.join('#linebreak()'), '');
};
