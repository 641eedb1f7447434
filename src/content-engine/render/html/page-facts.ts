import { eachBlock, summaryOf, type JSONDocument } from '../../document/index.ts';

/** What the page around the body says of its document. */
export interface PageFacts {
  readonly summary: string | undefined;
  /** Whether it has a changelog, and therefore a feed. */
  readonly hasUpdates: boolean;
}

export const factsOf = (document: JSONDocument): PageFacts => ({
  summary: summaryOf(document),
  hasUpdates: hasUpdates(document),
});

function hasUpdates({ nodes }: JSONDocument): boolean {
  let found = false;
  eachBlock(nodes, ({ type }) => {
    found ||= type === 'updates';
  });
  return found;
}
