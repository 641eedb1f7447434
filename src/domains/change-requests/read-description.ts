import { toPublishedForm, type JSONDocument } from '../../content-engine/document/index.ts';
import { parseDocument, toMarkdown } from '../../content-engine/markdown/index.ts';
import { sentDocument } from '../content/index.ts';

/** Normalises a description, so that the answer is what later reads return. */
export const readDescription = (description: object | null | undefined): JSONDocument | null | undefined =>
  description
    ? toPublishedForm(parseDocument(toMarkdown(sentDocument(description, 'body.description'))))
    : description;
