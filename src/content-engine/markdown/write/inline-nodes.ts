import { stringOf, type FragmentNode, type InlineContent, type InlineNode } from '../../document/nodes.ts';
import type { HrefKind } from '../../document/refs.ts';
import { emojiOf } from '../../document/text.ts';
import { destinationText, escapeAttribute, escapeHtml, escapeText } from './escape.ts';
import { pictureText } from './image-element.ts';

/** What the writing of inlines asks for. */
export interface InlineWriting {
  href(ref: unknown, kind: HrefKind): string;
  /** Keeps the body of a footnote for the end of the document, and says its label. */
  note(fragments: readonly FragmentNode[]): string;
  /** Text inside an annotation. */
  inner(nodes: readonly InlineContent[], html: boolean): string;
}

/** One inline that is not text or a link, as Markdown; the HTML ones are the same in HTML. */
export function inlineText(
  node: InlineNode,
  writing: InlineWriting,
  layout: 'lines' | 'line' | 'cell' | 'html',
): string {
  const text = written(node, writing, layout === 'html');
  return layout === 'cell' ? text.replaceAll('|', '&#x7c;') : text;
}

function written(node: InlineNode, writing: InlineWriting, html: boolean): string {
  const data = node.data ?? {};
  switch (node.type) {
    case 'emoji': {
      const code = stringOf(data, 'code') ?? '';
      return `<span data-gb-custom-inline data-tag="emoji" data-code="${escapeAttribute(code)}">${escapeHtml(emojiOf(code))}</span>`;
    }
    case 'icon': {
      const icon = escapeAttribute(stringOf(data, 'icon') ?? '');
      return `<i class="fa-${icon}">:${icon}:</i>`;
    }
    case 'expression':
      return `<code class="expression">${escapeHtml(stringOf(data, 'expression') ?? '').replace(/[\n\r]/g, (char) => `&#x${char.charCodeAt(0).toString(16)};`)}</code>`;
    case 'inline-math':
      return `$$${(stringOf(data, 'formula') ?? '').replace(/[\r\n]+/g, ' ').replaceAll('<', html ? '&lt;' : '<')}$$`;
    case 'mention':
      return mention(writing.href(data['ref'], 'mention'), html);
    case 'button':
      return button(node, writing);
    case 'inline-image':
      return image(node, writing, html);
    case 'annotation':
      return annotation(node, writing, html);
    default:
      return '';
  }
}

const PLACE = { lineStart: false, lineEnd: false, inLink: true, inCell: false };

function mention(href: string, html: boolean): string {
  if (html) return `<a data-mention href="${escapeAttribute(href)}">${escapeHtml(href)}</a>`;
  return `[${escapeText(href.replace(/[\r\n]+/g, ' '), PLACE)}](${destinationText(href)} "mention")`;
}

function button({ data = {} }: InlineNode, writing: InlineWriting): string {
  const label = escapeHtml(stringOf(data, 'label') ?? '');
  const kind = data['kind'] === 'secondary' ? 'secondary' : 'primary';
  const extra = (name: string, key: string): string => {
    const value = stringOf(data, key);
    return value === undefined ? '' : ` ${name}="${escapeAttribute(value)}"`;
  };
  const style = `class="button ${kind}"`;
  const looks = extra('data-icon', 'icon') + extra('data-size', 'size');
  const action = data['action'] as Record<string, unknown> | undefined;
  if (!action)
    return `<a href="${escapeAttribute(writing.href(data['ref'], 'button'))}" ${style}${looks}>${label}</a>`;
  const attributes = ['action', 'query', 'slug']
    .filter((name) => typeof action[name] === 'string')
    .map((name) => ` data-${name}="${escapeAttribute(String(action[name]))}"`);
  return `<button type="button" ${style}${attributes.join('')}${looks}>${label}</button>`;
}

function image({ data = {} }: InlineNode, writing: InlineWriting, html: boolean): string {
  const alt = stringOf(data, 'alt') ?? '';
  const caption = stringOf(data, 'caption') ?? '';
  const size = stringOf(data, 'size');
  if (!html && size === undefined && !data['refDark'] && !/[\n\r]/.test(alt + caption)) {
    const title =
      caption === ''
        ? ''
        : ` "${caption.replace(/["\\&]/g, (char) => (char === '&' ? '&amp;' : `\\${char}`))}"`;
    return `![${escapeText(alt, { ...PLACE, lineStart: true, lineEnd: true })}](${destinationText(writing.href(data['ref'], 'image'))}${title})`;
  }
  const title = caption === '' ? '' : ` title="${escapeAttribute(caption)}"`;
  return pictureText(
    writing,
    data,
    `${size === undefined ? '' : ` data-size="${escapeAttribute(size)}"`}${title}`,
  );
}

function annotation(node: InlineNode, writing: InlineWriting, html: boolean): string {
  const label = writing.note(node.fragments ?? []);
  const text = writing.inner(node.nodes ?? [], html);
  if (html) return `<a data-footnote-ref href="#user-content-fn-${escapeAttribute(label)}">${text}</a>`;
  return text === '' ? `[^${label}]` : `[${text}](#user-content-fn-${label})[^${label}]`;
}
