import { toMarkdown } from '../../content-engine/markdown/index.ts';
import { badRequest } from '../../platform/api/errors.ts';
import { sentDocument } from '../content/index.ts';
import type { Body } from './schema.ts';

const MAX_BYTES = 100_000;
/** The limit of a document, estimated before it is converted: 4,000 nodes with 100 kB of text. */
const MAX_SIZE = 2 * MAX_BYTES;

/** A body as it is stored: Markdown, in whichever form it was sent. */
export function markdownOf({ markdown, document }: Body): string {
  const text =
    markdown ?? (document ? toMarkdown(sentDocument(document, 'body.body.document', MAX_SIZE)) : '');
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_BYTES) {
    throw refused(
      `The text has ${bytes} bytes; the limit for comments is ${MAX_BYTES}`,
      'must be at most 100 kB',
    );
  }
  if (text.trim() === '') {
    throw refused('A comment must not be empty. Send `markdown` or a `document`', 'must not be empty');
  }
  return text;
}

const refused = (message: string, rule: string) => badRequest(`${message}.`, [{ path: 'body.body', rule }]);
