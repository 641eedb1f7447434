import { element, type HtmlElement } from '../node.ts';

/** Hosts whose content may be shown in a frame, by the address of the frame. All other embeds are links. */

export interface Frame {
  readonly origin: string;
  readonly src: string;
}

interface Provider {
  readonly origin: string;
  /** Matches host and path of an address. */
  readonly pattern: RegExp;
  /** Path of the frame, from the groups of the pattern. */
  readonly path: (groups: readonly string[]) => string;
}

const ID = '([\\w-]{1,64})';
const provider = (origin: string, pattern: string, path: Provider['path']): Provider => ({
  origin,
  pattern: new RegExp(`^${pattern}(?:[/?#&].*)?$`, 's'),
  path,
});

const PROVIDERS: readonly Provider[] = [
  provider(
    'https://www.youtube-nocookie.com',
    `(?:youtube\\.com/(?:watch\\?(?:.*&)?v=|embed/|shorts/|live/)|youtu\\.be/)${ID}`,
    ([id]) => `/embed/${id}`,
  ),
  provider(
    'https://player.vimeo.com',
    '(?:player\\.)?vimeo\\.com/(?:video/)?(\\d{1,20})',
    ([id]) => `/video/${id}?dnt=1`,
  ),
  provider('https://www.loom.com', `loom\\.com/(?:share|embed)/${ID}`, ([id]) => `/embed/${id}`),
  provider(
    'https://codepen.io',
    `codepen\\.io/${ID}/(?:pen|embed|full)/${ID}`,
    ([user, id]) => `/${user}/embed/${id}`,
  ),
  provider('https://codesandbox.io', `codesandbox\\.io/(?:s|embed)/${ID}`, ([id]) => `/embed/${id}`),
  provider('https://stackblitz.com', `stackblitz\\.com/edit/${ID}`, ([id]) => `/edit/${id}?embed=1`),
  provider(
    'https://open.spotify.com',
    `open\\.spotify\\.com/(?:embed/)?(track|album|playlist|episode|show)/${ID}`,
    ([kind, id]) => `/embed/${kind}/${id}`,
  ),
  provider(
    'https://embed.figma.com',
    `figma\\.com/(file|design|proto|board)/${ID}`,
    ([kind, id]) => `/${kind === 'file' ? 'design' : kind}/${id}?embed-host=octavo`,
  ),
];

/** Longer addresses are links: the patterns look at every character. */
const MAX_LENGTH = 2000;

export function frameOf(url: string): Frame | undefined {
  const address =
    url.length > MAX_LENGTH ? undefined : /^https?:\/\/(?:www\.|m\.)?(.*)$/is.exec(url.trim())?.[1];
  if (address === undefined) return undefined;
  for (const { origin, pattern, path } of PROVIDERS) {
    const match = pattern.exec(address);
    if (match) return { origin, src: origin + path(match.slice(1)) };
  }
  return undefined;
}

export const iframe = ({ src }: Frame, title: string): HtmlElement =>
  element('iframe', {
    src,
    title,
    loading: 'lazy',
    allow: 'fullscreen; picture-in-picture; encrypted-media',
    referrerpolicy: 'strict-origin-when-cross-origin',
    sandbox: 'allow-scripts allow-same-origin allow-popups allow-presentation',
  });
