import Type from 'typebox';
import { listQuery, named, Uri } from '../../platform/api/schema.ts';

export const SearchQuery = Type.Object({
  ...listQuery,
  query: Type.String({
    maxLength: 512,
    description: 'Words in any order. The last word may be a prefix. Words after the 24th are ignored.',
    examples: ['marker'],
  }),
});

const score = Type.Number({ description: 'Relevance; the order of results' });

const SearchSection = named('SearchSectionResult', {
  id: Type.String({ description: 'Anchor of the section; for the beginning of a page, the id of the page' }),
  title: Type.String(),
  path: Type.String(),
  score,
  body: Type.String({ description: 'Excerpt around the match' }),
  urls: Type.Object({ app: Uri }),
});

export const SearchPage = named('SearchPageResult', {
  id: Type.String(),
  title: Type.String(),
  linkTitle: Type.Optional(
    Type.String({ description: 'Label of the page in navigation, if it differs from the title' }),
  ),
  description: Type.String({ description: 'Of the page; empty if it has none' }),
  path: Type.String(),
  score,
  rank: Type.Integer({ minimum: 1, description: 'Position among all pages of the list' }),
  ancestors: Type.Optional(
    Type.Array(Type.Object({ title: Type.String() }), {
      description:
        'The pages and groups above it, the outermost first. Absent in the search of an organization',
    }),
  ),
  sections: Type.Optional(Type.Array(SearchSection)),
  urls: Type.Object({ app: Uri }),
});

export const SearchSpace = named('SearchSpaceResult', {
  type: Type.Literal('space'),
  id: Type.String(),
  title: Type.String(),
  score,
  pages: Type.Array(SearchPage),
});
