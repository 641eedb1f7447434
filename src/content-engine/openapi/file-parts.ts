import { requireSpecification } from './check.ts';
import { parseFile } from './parse.ts';
import { SpecificationError } from './specification-error.ts';
import { partsOf } from './view/parts.ts';

/** What a specification in one file shows: the JSON of each view, with its key. */
export type FileParts = readonly (readonly [key: string, view: string])[];

export const filePartKey = (kind: string, name: string): string => `${kind} ${name}`;

/** Undefined: the text is no specification. References to other files show nothing. */
export function partsOfFile(text: string): FileParts | undefined {
  try {
    const root = parseFile(text, 'The file');
    requireSpecification(root);
    return Array.from(partsOf(root), ({ kind, name, view }) => [
      filePartKey(kind, name),
      JSON.stringify(view),
    ]);
  } catch (error) {
    if (error instanceof SpecificationError) return undefined;
    throw error;
  }
}
