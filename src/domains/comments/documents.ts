import { sizeOfDocument, type JSONDocument } from '../../content-engine/document/index.ts';
import { readableDocument } from '../../content-engine/evaluation/index.ts';
import { tooLarge } from '../../platform/api/errors.ts';
import { inSlices } from '../../platform/threads/slices.ts';

/** For all comments in one answer, in characters. It is serialised in one turn, which takes some 130 ms. */
const MAX_SIZE = 3_000_000;

/** The documents of a list of comments, by their texts. Other requests are served meanwhile. */
export const documentsOf = (texts: readonly string[]): Promise<ReadonlyMap<string, JSONDocument>> =>
  inSlices(readEach(texts));

function* readEach(texts: readonly string[]): Generator<void, Map<string, JSONDocument>, void> {
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
    yield;
  }
  return documents;
}
