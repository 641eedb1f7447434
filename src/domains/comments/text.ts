import { toMarkdown } from '../../content-engine/markdown/index.ts';
import { badRequest } from '../../platform/errors.ts';
import { sentDocument } from '../content/index.ts';
import type { Body } from './schema.ts';

const MAX_BYTES = 100_000;

/** What is kept of a body: Markdown, whatever it came as. */
export function textOf({ markdown, document }: Body): string {
  const bytes = Buffer.from(
    markdown ?? (document ? toMarkdown(sentDocument(document, 'body.body.document')) : ''),
  );
  if (bytes.length > MAX_BYTES) {
    throw refused(
      `This text has ${bytes.length} bytes; a comment may have ${MAX_BYTES}`,
      'must be at most 100 kB',
    );
  }
  // By way of bytes: half a surrogate is shown at once as it will be read later.
  const text = bytes.toString();
  if (text.includes('\u0000')) throw refused('A comment cannot hold U+0000', 'must not hold U+0000');
  if (text.trim() === '') {
    throw refused('A comment needs some text: `markdown`, or a `document`', 'must hold some text');
  }
  return text;
}

const refused = (message: string, rule: string) => badRequest(`${message}.`, [{ path: 'body.body', rule }]);
