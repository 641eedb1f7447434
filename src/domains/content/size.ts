import { tooLarge } from '../../platform/errors.ts';
import { MAX_SOURCE } from './batch.ts';

export function requireSize(markdown: string, index: number): void {
  if (Buffer.byteLength(markdown) > MAX_SOURCE) {
    throw tooLarge(
      `body.changes.${index}.document: a page has at most ${MAX_SOURCE / 1024 / 1024} MB of Markdown.`,
    );
  }
}
