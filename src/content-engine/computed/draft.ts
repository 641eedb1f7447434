import type { Hash } from '../map/index.ts';
import type { DocumentPage, GeneratedPart, Inline } from '../tree/index.ts';
import type { PlannedPage } from './plan-pages.ts';

/** A page with what the specification gives it now, before it is placed. */
export interface Draft {
  readonly planned: PlannedPage;
  readonly id: string;
  /** Undefined: it is new. */
  readonly before: DocumentPage | undefined;
  readonly body: Body;
}

/** The body of a page, and what is generated of it. */
export interface Body {
  readonly document: Hash;
  /** The hash of the body without the changes of people. */
  readonly generated: Hash;
  readonly parts: Inline<readonly GeneratedPart[]>;
}
