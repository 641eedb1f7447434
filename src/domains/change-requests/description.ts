import { toPublishedForm, type JSONDocument } from '../../content-engine/document/index.ts';
import { parseDocument, toMarkdown } from '../../content-engine/markdown/index.ts';
import { sentDocument } from '../content/index.ts';

/** What the engine makes of a description that was sent: it is answered as it will be read. */
export const readable = (description: object | null | undefined): JSONDocument | null | undefined =>
  description
    ? toPublishedForm(parseDocument(toMarkdown(sentDocument(description, 'body.description').document)))
    : description;
