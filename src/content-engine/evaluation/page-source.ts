import type { JSONDocument, Resolve } from '../document/index.ts';
import type { ContentRef } from '../tree/index.ts';
import type { Visit } from './evaluate-document.ts';
import { inSpace, reusableKey } from './references.ts';
import { documentFor } from './render-body.ts';

/** The targets of the hrefs of a text. Other hrefs stay URLs. */
export type Targets = ReadonlyMap<string, ContentRef>;

export const resolverIn =
  (targets: Targets): Resolve =>
  ({ href }) =>
    targets.get(href);

/** A body as a thread can read it. */
export interface BodySource {
  readonly text: string;
  readonly targets: Targets;
  /** Of included content: the space of its references. */
  readonly spaceId?: string;
}

/** A page as a thread can read it. */
export interface PageSource {
  readonly spaceId: string;
  readonly visit: Visit;
  readonly body: BodySource;
  /** Reusable contents that the page includes, by `reusableKey`. */
  readonly contents: ReadonlyMap<string, BodySource>;
}

/** A page with what it includes. */
export interface ParsedPage {
  readonly document: JSONDocument;
  readonly contentOf: (ref: Extract<ContentRef, { kind: 'reusable-content' }>) => JSONDocument | undefined;
}

export function parseBody({ text, targets, spaceId }: BodySource, visit: Visit): JSONDocument {
  const document = documentFor(text, resolverIn(targets), visit);
  return spaceId === undefined ? document : inSpace(document, spaceId);
}

/** Contents are parsed when they are first asked for. */
export function parsePage({ spaceId, visit, body, contents }: PageSource): ParsedPage {
  const parsed = new Map<string, JSONDocument>();
  return {
    document: parseBody(body, visit),
    contentOf(ref) {
      const key = reusableKey(spaceId, ref);
      const source = contents.get(key);
      const document = parsed.get(key) ?? (source && parseBody(source, visit));
      if (document) parsed.set(key, document);
      return document;
    },
  };
}
