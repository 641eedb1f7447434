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

const SearchSection = named('SearchSectionResult', {
  id: Type.String({ description: 'Anchor of the section; for the beginning of a page, the id of the page' }),
  title: Type.String(),
  path: Type.String(),
  body: Type.String({ description: 'Excerpt around the match' }),
  urls: Type.Object({ app: Uri }),
});

export const SearchPage = named('SearchPageResult', {
  id: Type.String(),
  title: Type.String(),
  linkTitle: Type.Optional(
    Type.String({ description: 'Label of the page in navigation, if it differs from the title' }),
  ),
  path: Type.String(),
  sections: Type.Optional(Type.Array(SearchSection)),
  urls: Type.Object({ app: Uri }),
});

export const SearchSpace = named('SearchSpaceResult', {
  id: Type.String(),
  title: Type.String(),
  pages: Type.Array(SearchPage),
});
