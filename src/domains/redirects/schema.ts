import Type, { type Static } from 'typebox';
import { idOf } from '../../platform/api/resource.ts';
import { listQuery, named, Timestamp } from '../../platform/api/schema.ts';
import { ENTRY, pageId } from '../revisions/index.ts';
import { siteSections, siteSpaces } from '../sites/index.ts';

const CHARACTER = '(?:[A-Za-z0-9\\-._~]|%[0-9A-Fa-f]{2})';

const Source = Type.String({
  maxLength: 512,
  pattern: `^\\/${CHARACTER}+(?:\\/${CHARACTER}+)*$`,
  description: 'Path on the site, percent-encoded, without a trailing slash. Compared without case',
  examples: ['/old/page'],
});

export const Destination = Type.Union([
  Type.Object({ kind: Type.Literal('site-section'), siteSectionId: idOf(siteSections, 'view') }),
  Type.Object({ kind: Type.Literal('site-space'), siteSpaceId: idOf(siteSpaces, 'view') }),
  Type.Object({ kind: Type.Literal('site-page'), siteSpaceId: idOf(siteSpaces, 'view'), pageId }),
]);
export type Destination = Static<typeof Destination>;

const id = Type.String();

const ShownDestination = Type.Union([
  Type.Object({ kind: Type.Literal('site-section'), siteSectionId: id }),
  Type.Object({ kind: Type.Literal('site-space'), siteSpaceId: id }),
  Type.Object({ kind: Type.Literal('site-page'), siteSpaceId: id, pageId: id }),
]);

const redirect = {
  object: Type.Literal('site-redirect'),
  id,
  source: Type.String(),
  destination: ShownDestination,
  draft: Type.Literal(false, { description: 'There are no drafts of redirects' }),
  captureWildcard: Type.Literal(false, { description: 'A source is one path' }),
  permanent: Type.Literal(true, { description: 'Readers are redirected with 301' }),
  createdAt: Timestamp,
};

export const SiteRedirect = named('SiteRedirect', redirect);

export const RedirectQuery = Type.Object({
  ...listQuery,
  search: Type.Optional(
    Type.String({ maxLength: 512, description: 'Substring of the source, case-insensitive' }),
  ),
});

export const NewRedirect = Type.Object({ source: Source, destination: Destination });
export type NewRedirect = Static<typeof NewRedirect>;

export const RedirectPatch = Type.Object({
  source: Type.Optional(Source),
  destination: Type.Optional(Destination),
});

export const RedirectsChange = Type.Object({
  redirects: Type.Array(NewRedirect, { minItems: 1, maxItems: 500 }),
});

export const ChangedRedirects = Type.Object({
  items: Type.Array(Type.Object({ ...redirect, status: Type.Enum(['created', 'updated', 'unchanged']) })),
  results: Type.Array(
    Type.Object({
      status: Type.Enum(['created', 'updated']),
      source: Type.String(),
      draft: Type.Literal(false),
      id,
    }),
    { description: 'The same by source. One that was as requested already is `updated`' },
  ),
});

export const SourceQuery = Type.Object({
  source: { ...Source, [ENTRY]: 'redirect' },
  shareKey: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Key of a share link, for a site that is published by share links',
    }),
  ),
});

export const ResolvedRedirect = Type.Object({
  redirect: SiteRedirect,
  target: Type.String({ description: 'URL of the destination' }),
});
