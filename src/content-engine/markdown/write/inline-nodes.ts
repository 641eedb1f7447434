import {
  emojiOf,
  type AnnotationInline,
  type ButtonData,
  type ContentRef,
  type FragmentNode,
  type HrefKind,
  type ImageInline,
  type InlineContent,
} from '../../document/index.ts';
import { destinationText, escapeAttribute, escapeHtml, escapeText } from './escape.ts';
import { imageElement } from './image-element.ts';
import type { AtomInline } from './runs.ts';

/** Services for the writers of inlines. */
export interface InlineWriting {
  href(ref: ContentRef, kind: HrefKind): string;
  /** Collects the body of a footnote for the end of the document, and returns its label. */
  note(fragments: readonly FragmentNode[]): string;
  /** Text inside an annotation. */
  inner(nodes: readonly InlineContent[], html: boolean): string;
}

/** One inline that is not text or a link, as Markdown; the HTML ones are the same in HTML. */
export function inlineText(
  node: AtomInline,
  writing: InlineWriting,
  layout: 'lines' | 'line' | 'cell' | 'html',
): string {
  const text = written(node, writing, layout === 'html');
  return layout === 'cell' ? text.replaceAll('|', '&#x7c;') : text;
}

function written(node: AtomInline, writing: InlineWriting, html: boolean): string {
  switch (node.type) {
    case 'emoji': {
      const { code } = node.data;
      return `<span data-gb-custom-inline data-tag="emoji" data-code="${escapeAttribute(code)}">${escapeHtml(emojiOf(code))}</span>`;
    }
    case 'icon': {
      const icon = escapeAttribute(node.data.icon);
      return `<i class="fa-${icon}">:${icon}:</i>`;
    }
    case 'expression':
      return `<code class="expression">${escapeHtml(node.data.expression).replace(/[\n\r]/g, (char) => `&#x${char.charCodeAt(0).toString(16)};`)}</code>`;
    case 'inline-math':
      return `$$${node.data.formula.replace(/[\r\n]+/g, ' ').replaceAll('<', html ? '&lt;' : '<')}$$`;
    case 'mention':
      return mention(writing.href(node.data.ref, 'mention'), html);
    case 'button':
      return button(node.data, writing);
    case 'inline-image':
      return image(node, writing, html);
    case 'annotation':
      return annotation(node, writing, html);
  }
}

const PLACE = { lineStart: false, lineEnd: false, inLink: true, inCell: false };

function mention(href: string, html: boolean): string {
  if (html) return `<a data-mention href="${escapeAttribute(href)}">${escapeHtml(href)}</a>`;
  return `[${escapeText(href.replace(/[\r\n]+/g, ' '), PLACE)}](${destinationText(href)} "mention")`;
}

function button({ label, kind, icon, size, ref, action }: ButtonData, writing: InlineWriting): string {
  const text = escapeHtml(label);
  const style = `class="button ${kind === 'secondary' ? 'secondary' : 'primary'}"`;
  const looks = attributes({ 'data-icon': icon, 'data-size': size });
  if (!action) {
    const href = ref ? writing.href(ref, 'button') : '';
    return `<a href="${escapeAttribute(href)}" ${style}${looks}>${text}</a>`;
  }
  const does = attributes({
    'data-action': action.action,
    'data-query': action.query,
    'data-slug': action.slug,
  });
  return `<button type="button" ${style}${does}${looks}>${text}</button>`;
}

const attributes = (values: Readonly<Record<string, string | undefined>>): string =>
  Object.entries(values)
    .map(([name, value]) => (value === undefined ? '' : ` ${name}="${escapeAttribute(value)}"`))
    .join('');

function image({ data }: ImageInline, writing: InlineWriting, html: boolean): string {
  const { ref, refDark, alt = '', caption = '', size } = data;
  if (!html && size === undefined && !refDark && !/[\n\r]/.test(alt + caption)) {
    const title =
      caption === ''
        ? ''
        : ` "${caption.replace(/["\\&]/g, (char) => (char === '&' ? '&amp;' : `\\${char}`))}"`;
    return `![${escapeText(alt, { ...PLACE, lineStart: true, lineEnd: true })}](${destinationText(writing.href(ref, 'image'))}${title})`;
  }
  const title = caption === '' ? undefined : caption;
  return imageElement(writing, data, attributes({ 'data-size': size, title }));
}

function annotation(node: AnnotationInline, writing: InlineWriting, html: boolean): string {
  const label = writing.note(node.fragments ?? []);
  const text = writing.inner(node.nodes ?? [], html);
  if (html) return `<a data-footnote-ref href="#user-content-fn-${escapeAttribute(label)}">${text}</a>`;
  return text === '' ? `[^${label}]` : `[${text}](#user-content-fn-${label})[^${label}]`;
}
