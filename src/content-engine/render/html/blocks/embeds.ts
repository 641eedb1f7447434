import { captionOf, type EmbedBlock } from '../../../document/index.ts';
import type { Renderer } from '../context.ts';
import { frameOf, iframe } from './frames.ts';
import { icon } from '../inlines/icons.ts';
import { compact } from '../inlines/inlines.ts';
import { hrefAttributes, targetOf } from '../inlines/links.ts';
import { element } from '../node.ts';
import { fill } from '../words.ts';
import { serialise } from '../serialise.ts';

export const hostOf = (url: string): string => /^[a-z]+:\/\/(?:www\.)?([^/?#]+)/i.exec(url)?.[1] ?? '';

/**
 * A link, or a frame for the hosts in `frames.ts`. A frame is folded: nothing is requested from another host before a
 * reader opens it.
 */
export const embed: Renderer<EmbedBlock> = (context, block) => {
  const { url, fullWidth } = block.data;
  const caption = captionOf(block);
  const { title, description } = targetOf(context, { kind: 'url', url }) ?? {};
  const attributes = hrefAttributes(context, url);
  const host = hostOf(url);
  const shown = title ?? (host || url);
  const frame = frameOf(url);
  const row = element(
    attributes ? 'a' : 'span',
    { class: 'row embed', ...attributes },
    icon(context, 'out', 'flip'),
    element(
      'span',
      {},
      element('b', {}, shown),
      description === undefined ? undefined : element('small', {}, description),
      element('small', {}, attributes ? url : ''),
    ),
  );
  if (frame) {
    context.page.needs.add('embed');
    context.page.frames.add(frame.origin);
  }
  const content = frame
    ? element(
        'details',
        { class: 'frame-embed' },
        element(
          'summary',
          {},
          icon(context, 'right', 'flip'),
          element(
            'span',
            {},
            element('b', {}, shown),
            element('small', {}, fill(context.words.showEmbed, { host })),
          ),
        ),
        iframe(frame, shown),
      )
    : row;
  if (caption.length === 0 && fullWidth !== true) return content;
  return element(
    'figure',
    { class: fullWidth === true ? 'embed-block full' : 'embed-block' },
    content,
    caption.length === 0 ? undefined : element('figcaption', {}, compact(context, caption)),
  );
};

/** The presentation of an embed: a frame for the hosts in `frames.ts`, otherwise a link. */
export interface EmbedDescription {
  readonly type: 'link' | 'rich';
  readonly title: string;
  /** The host, without `www.` */
  readonly site: string;
  /** The frame. */
  readonly html?: string;
}

/** From the URL alone: nothing is requested from its host. The URL is absolute, of the web. */
export function describeEmbed({ href }: URL): EmbedDescription {
  const site = hostOf(href);
  const path = href.replace(/^[a-z]+:\/\/(?:www\.)?/i, '').replace(/\/$/, '');
  const frame = frameOf(href);
  if (!frame) return { type: 'link', title: path, site };
  return { type: 'rich', title: path, site, html: serialise(iframe(frame, site)) };
}
