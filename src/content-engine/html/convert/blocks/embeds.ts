import { attribute, elementsIn, type Element } from '../../dom.ts';
import type { BlockConverter } from '../context.ts';

/** Sites whose frames are part of the text, and the address of the page that a frame shows. */
const SITES: readonly (readonly [RegExp, string])[] = [
  [/^(?:https?:)?\/\/(?:www\.)?youtube(?:-nocookie)?\.com\/embed\/([\w-]+)(?:[^\w-].*)?$/s, 'https://www.youtube.com/watch?v=$1'],
  [/^(?:https?:)?\/\/player\.vimeo\.com\/video\/(\d+)(?:\D.*)?$/s, 'https://vimeo.com/$1'],
  [/^(?:https?:)?\/\/(?:www\.)?loom\.com\/embed\/(\w+)(?:\W.*)?$/s, 'https://www.loom.com/share/$1'],
  [/^(?:https?:)?(\/\/(?:www\.)?codepen\.io\/[^"]+)$/, 'https:$1'],
  [/^(?:https?:)?(\/\/(?:www\.)?figma\.com\/embed[^"]*)$/, 'https:$1'],
]; // prettier-ignore

export const isEmbed = (element: Element): boolean => frameUrl(element) !== undefined;

function frameUrl(frame: Element): string | undefined {
  const src = (attribute(frame, 'src') ?? attribute(frame, 'data-src') ?? '').trim();
  const site = SITES.find(([pattern]) => pattern.test(src));
  return site && src.replace(site[0], site[1]);
}

export const convertEmbed: BlockConverter = (element, { addresses }) => {
  let url: string | undefined;
  if (element.tagName === 'iframe') url = frameUrl(element);
  else if (element.tagName === 'video') {
    const source = elementsIn(element).find(({ tagName }) => tagName === 'source');
    const src = attribute(element, 'src') ?? (source && attribute(source, 'src'));
    url = src === undefined ? undefined : addresses.resolve(src);
  } else return undefined;
  return url === undefined ? [] : [{ object: 'block', type: 'embed', data: { url }, isVoid: true }];
};
