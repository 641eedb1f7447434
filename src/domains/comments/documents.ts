import { sizeOfDocument, type JSONDocument } from '../../content-engine/document/index.ts';
import { readableDocument } from '../../content-engine/evaluation/index.ts';
import { sizeOfText } from '../../content-engine/size-of-text.ts';
import type { Context } from '../../platform/api/context.ts';
import { tooLarge } from '../../platform/api/errors.ts';
import { requireSmall } from '../../platform/api/too-large-here.ts';

/** The limit of all comments of one answer, in characters. */
const MAX_SIZE = 3_000_000;

/** The documents of a list of comments, by their texts. */
export function documentsOf(
  ctx: Pick<Context, 'isFront'>,
  texts: readonly string[],
): ReadonlyMap<string, JSONDocument> {
  requireSmall(ctx, 'text', sizeOfText(...texts));
  const documents = new Map<string, JSONDocument>();
  let size = 0;
  for (const text of texts) {
    const document = documents.get(text) ?? readableDocument(text);
    documents.set(text, document);
    size += sizeOfDocument(document);
    if (size > MAX_SIZE)
      throw tooLarge(
        'These comments are too large to return as documents in one response. Request fewer (`limit`).',
      );
  }
  return documents;
}
