import { captionOf, type EmbedBlock } from '../../document/index.ts';
import type { Renderer } from './context.ts';
import { frameOf } from './frames.ts';
import { icon } from './icons.ts';
import { compact } from './inlines.ts';
import { hrefAttributes, targetOf } from './links.ts';
import { element } from './node.ts';
import { fill } from './words.ts';

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
        element('iframe', {
          src: frame.src,
          title: shown,
          loading: 'lazy',
          allowfullscreen: true,
          allow: 'fullscreen; picture-in-picture; encrypted-media',
          referrerpolicy: 'strict-origin-when-cross-origin',
          sandbox: 'allow-scripts allow-same-origin allow-popups allow-presentation',
        }),
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
