import type { Hash } from '../map/index.ts';
import { isElsewhere } from './inline.ts';
import type { ContentRecord, Inline, PageSource, SourceText } from './records.ts';

export interface References {
  /** Texts: bodies, and values that were too long for their record. */
  readonly documents: readonly Hash[];
  readonly files: readonly Hash[];
}

/** What a record needs besides itself: reachable as long as the record is. */
export function referencesOf(record: ContentRecord): References {
  switch (record.kind) {
    case 'file':
      return { documents: [], files: [record.hash] };
    case 'variables':
      return { documents: ofSource(record.source), files: [] };
    case 'folder':
      return {
        documents: [
          ...[record.summary, record.configuration, record.tagsSource].flatMap(ofSource),
          ...ofInline(record.summary?.listed),
          ...ofInline(record.configuration?.links),
        ],
        files: [],
      };
    case 'reusable-content':
      return { documents: ofDocument(record), files: [] };
    case 'page':
      return { documents: record.type === 'document' ? ofDocument(record) : [], files: [] };
  }
}

interface WithDocument {
  readonly document: Hash;
  readonly links?: Inline<object>;
  readonly source?: PageSource;
}

const ofDocument = ({ document, links, source }: WithDocument): Hash[] => [
  document,
  ...ofInline(links),
  ...ofInline(source?.frontmatter),
];

const ofSource = (source: SourceText | undefined): Hash[] => ofInline(source?.text);

const ofInline = (value: Inline<object | string> | undefined): Hash[] =>
  value !== undefined && isElsewhere(value) ? [value.hash] : [];
