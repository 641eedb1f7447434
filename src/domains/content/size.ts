import { tooLarge } from '../../platform/api/errors.ts';
import { MAX_SOURCE } from './batch.ts';

export function requireSize(markdown: string, place: string): void {
  if (Buffer.byteLength(markdown) > MAX_SOURCE) {
    throw tooLarge(`${place}: a page must not exceed ${MAX_SOURCE / 1024 / 1024} MB of Markdown.`);
  }
}
