import { page } from '../../platform/http/page.ts';
import { avatarSvg } from './avatar.ts';

export const avatarPage = page({
  method: 'GET',
  path: '/avatars/{name}',
  handle: async ({ params }) => {
    const svg = avatarSvg(params['name'] ?? '');
    return svg
      ? { status: 200, body: svg, type: 'image/svg+xml', cacheControl: 'public, max-age=31536000, immutable' }
      : { status: 404, body: '', type: 'text/plain' };
  },
});
