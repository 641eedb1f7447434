import type { Hash } from '../map/index.ts';
import { isOutOfLine } from './inline.ts';
import type { ContentRecord, Inline, PageSource, SourceText } from './records.ts';

export interface References {
  /** Texts: bodies, and out-of-line values. */
  readonly documents: readonly Hash[];
  readonly files: readonly Hash[];
}

/** The objects that a record references: reachable as long as the record is. */
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
          ...ofInline(record.navigation),
          ...ofInline(record.configuration?.links),
        ],
        files: [],
      };
    case 'reusable-content':
      return { documents: ofDocument(record), files: [] };
    case 'page':
      if (record.type === 'computed') return { documents: ofInline(record.expanded), files: [] };
      if (record.type !== 'document') return { documents: [], files: [] };
      return { documents: [...ofDocument(record), ...ofInline(record.generated?.parts)], files: [] };
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
  value !== undefined && isOutOfLine(value) ? [value.hash] : [];
