import { page } from '../../platform/http/pages/page.ts';

export const avatarPage = page({
  method: 'GET',
  path: '/avatars/{name}',
  limit: 'none',
  handle: async ({ params }) => {
    const svg = avatarSvg(params['name'] ?? '');
    return svg
      ? { status: 200, body: svg, type: 'image/svg+xml', cacheControl: 'public, max-age=31536000, immutable' }
      : { status: 404, body: '', type: 'text/plain' };
  },
});

function avatarSvg(name: string): string | undefined {
  const match = /^(\d{1,3})-(.{1,8})\.svg$/u.exec(name);
  if (!match) return undefined;
  const [, hue = '0', initials = ''] = match;
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" width="128" height="128" viewBox="0 0 128 128" role="img">' +
    `<rect width="128" height="128" fill="hsl(${Number(hue) % 360} 45% 42%)"/>` +
    '<text x="64" y="66" fill="#fff" font-family="system-ui, sans-serif" font-size="52" font-weight="600" ' +
    `text-anchor="middle" dominant-baseline="central">${escapeXml(initials)}</text></svg>`
  );
}

const escapeXml = (text: string) =>
  text.replaceAll(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);
