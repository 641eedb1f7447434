import Type, { type Static } from 'typebox';
import { idOf } from '../../platform/api/resource.ts';
import { siteSpaces } from './policy.ts';

const siteSpaceId = idOf(siteSpaces, 'view');
const siteSpaceIds = Type.Array(siteSpaceId, { minItems: 1, maxItems: 500 });
const query = Type.String({
  maxLength: 512,
  description: 'Words in any order. The last word may be a prefix.',
  examples: ['marker'],
});

const Scope = Type.Union([
  Type.Object({
    mode: Type.Literal('default'),
    currentSiteSpace: Type.Optional(siteSpaceId),
    restrictTo: Type.Optional(
      Type.Enum(['currentSiteSpace', 'otherSiteSpaces'], {
        description: 'Only `currentSiteSpace`, or all but it',
        examples: [undefined],
      }),
    ),
    includedSiteSpaces: Type.Optional(
      Type.Array(siteSpaceId, { maxItems: 500, description: 'Deprecated: use `currentSiteSpace`' }),
    ),
  }),
  Type.Object({ mode: Type.Literal('specific'), siteSpaceIds }),
  Type.Object({ mode: Type.Literal('all') }),
]);

/** The forms without `scope` are deprecated. */
export const SiteSearch = Type.Union([
  Type.Object({ query, scope: Scope }),
  Type.Object({ query, mode: Type.Literal('current'), siteSpaceId }),
  Type.Object({ query, mode: Type.Optional(Type.Literal('specific')), siteSpaceIds }),
  Type.Object({ query, mode: Type.Literal('all') }),
]);
export type SiteSearch = Static<typeof SiteSearch>;
