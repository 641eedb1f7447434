import { hash } from 'node:crypto';

/**
 * The picture of a person who has not chosen one. Its address says all there is to draw, so that serving it asks
 * nobody and reveals nobody.
 */
export function avatarPath(userId: string, displayName: string): string {
  const words = displayName.trim().split(/\s+/);
  const initials = [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase();
  const hue = Number.parseInt(hash('sha1', userId, 'hex').slice(0, 4), 16) % 360;
  return `/avatars/${hue}-${encodeURIComponent(initials || '?')}.svg`;
}

export function avatarSvg(name: string): string | undefined {
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
