import type { ContentSecurityPolicy } from '../../platform/api/content-security-policy.ts';
import type { SiteView } from '../model.ts';
import { cspHash, pageStyle } from './inputs.ts';

/**
 * The policy of every page of a site. Hashes, not nonces, so that compressed HTML can be cached. `origin` is where the
 * site is served; scripts come from its assets only, because the same origin also serves files that people uploaded.
 */
export function pagePolicy(
  site: SiteView,
  origin: string,
  frames: Iterable<string> = [],
  connects: Iterable<string> = [],
): ContentSecurityPolicy {
  const { hash, fontOrigins } = pageStyle(site);
  const assets = `${origin}${site.basePath}/~octavo/assets/`;
  return {
    'default-src': ["'none'"],
    'script-src': [assets, cspHash(site.assets.earlyScript)],
    'style-src': [assets, hash],
    'font-src': ["'self'", ...fontOrigins],
    'img-src': ["'self'", 'data:', 'https:'],
    'media-src': ["'self'", 'https:'],
    'connect-src': ["'self'", ...connects],
    'frame-src': [`${origin}${site.basePath}/~octavo/diagram`, ...frames],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    'base-uri': ["'none'"],
  };
}
