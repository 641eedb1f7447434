const LONGEST = 60;

/**
 * The title of an organization for a mail to a stranger: short, on one line, in quotation marks that it cannot close, and
 * without anything that a mail program turns into a link (`https://a.example`, `a.example`, `mailto:a@b.example`).
 */
export function quotedTitle(title: string): string {
  const plain = title
    .normalize('NFKC')
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .replaceAll(/["“”„«»]/g, "'")
    // U+3002 separates the labels of a domain as a dot does.
    .replaceAll(/[.:/\\@\u3002]+(?=\S)/g, (marks) => ` ${[...marks].join(' ')} `)
    .replaceAll(/ +/g, ' ')
    .trim();
  const characters = [...plain];
  return `“${characters.length > LONGEST ? `${characters.slice(0, LONGEST - 1).join('')}…` : plain}”`;
}
