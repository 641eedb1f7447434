import { normalize } from '../../content-engine/normalize.ts';

const MAX_LENGTH = 60;

/**
 * The title of an organization for a mail to an unknown recipient: short, on one line, in quotation marks that it
 * cannot close, and without anything that mail clients turn into links (`https://a.example`, `a.example`,
 * `mailto:a@b.example`).
 */
export function quotedTitle(title: string): string {
  const plain = normalize(title, 'NFKC')
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .replaceAll(/["“”„«»]/g, "'")
    // U+3002 separates the labels of a domain as a dot does.
    .replaceAll(/[.:/\\@\u3002](?=\S)/g, ' $& ')
    .replaceAll(/ +/g, ' ')
    .trim();
  const characters = [...plain];
  return `“${characters.length > MAX_LENGTH ? `${characters.slice(0, MAX_LENGTH - 1).join('')}…` : plain}”`;
}
