import type { ContentRef } from '../../../document/index.ts';
import { interactive, type Context } from '../context.ts';
import { signOf } from './icons.ts';
import { element, type HtmlNode } from '../node.ts';
import type { Target } from '../options.ts';
import { safeUrl } from '../serialise.ts';

/** The target of a reference, as the caller knows it; URLs and anchors of the page are known without. */
export function targetOf({ options }: Context, ref: ContentRef): Target | undefined {
  const target = options.targetOf?.(ref);
  if (target || options.targetOf) return target;
  if (ref.kind === 'url') return { href: ref.url };
  return ref.kind === 'anchor' && ref.page === undefined ? { href: `#${ref.anchor}` } : undefined;
}

const HTTP = /^https?:/i;

/** Attributes of a link. None where the address may not be followed. */
export function hrefAttributes(
  { options }: Context,
  href: string | undefined,
): { href: string; target?: string; rel?: string } | undefined {
  const safe = href === undefined ? undefined : safeUrl(href);
  if (safe === undefined) return undefined;
  if (options.externalLinks !== 'blank' || !HTTP.test(safe)) return { href: safe };
  return { href: safe, target: '_blank', rel: 'noopener' };
}

/** A link with attributes; undefined where there is nothing to lead to. */
export function anchor(
  context: Context,
  ref: ContentRef,
  attributes: { class?: string },
  content: HtmlNode,
): HtmlNode {
  const own = hrefAttributes(context, targetOf(context, ref)?.href);
  return own && element('a', { ...attributes, ...own }, content);
}

/** Content as a link. It is marked where the target is missing, so that its author finds it. */
export function linked(context: Context, ref: ContentRef, content: (context: Context) => HtmlNode): HtmlNode {
  if (context.isInteractive) return content(context);
  const inner = interactive(context);
  const link = anchor(context, ref, {}, content(inner));
  if (link !== undefined) return link;
  return targetOf(context, ref) ? content(context) : element('span', { class: 'broken' }, content(context));
}

/** The title of the target of a reference as a link to it. */
export function mention(context: Context, ref: ContentRef): HtmlNode {
  const target = targetOf(context, ref);
  if (!target) return element('span', { class: 'mention broken' }, context.words.missingPage);
  const content = [signOf(context, target, iconOf(ref)), titleOf(target, ref)];
  const link = context.isInteractive ? undefined : anchor(context, ref, { class: 'mention' }, content);
  return link ?? element('span', { class: 'mention' }, content);
}

export function titleOf({ title, href }: Target, ref: ContentRef): string {
  if (title !== undefined && title !== '') return title;
  switch (ref.kind) {
    case 'tag':
      return ref.tag;
    case 'openapi':
      return ref.spec;
    case 'anchor':
      return ref.anchor;
    default:
      return href ?? '';
  }
}

const ICONS: Readonly<Record<ContentRef['kind'], string>> = {
  url: 'link',
  file: 'file',
  user: 'users',
  space: 'book',
  collection: 'book',
  openapi: 'code',
  tag: 'page',
  page: 'page',
  anchor: 'page',
  'reusable-content': 'page',
};

/** The icon of a kind of target. */
export const iconOf = ({ kind }: ContentRef): string => ICONS[kind];
