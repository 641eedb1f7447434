import Type, { type Static } from 'typebox';
import { listOf, listQuery, named, Timestamp } from '../../platform/api/schema.ts';
import { ChangeRequest } from '../change-requests/index.ts';
import { Collection } from '../collections/index.ts';
import { Organization } from '../organizations/index.ts';
import { File, Page, ReusableContent, Revision } from '../revisions/index.ts';
import { Space } from '../spaces/index.ts';
import { User } from '../users/index.ts';

const Status = Type.Enum(['ok', 'broken', 'in-app']);

export const LinksQuery = Type.Object({
  ...listQuery,
  status: Type.Optional(
    Type.Enum(['ok', 'broken', 'in-app'], {
      description:
        '`in-app`: URLs of this platform; `broken`: the target does not exist, or you may not view it',
    }),
  ),
});

export const RequestLinksQuery = Type.Object({
  ...LinksQuery.properties,
  brokenContext: Type.Optional(
    Type.Enum(['change-request', 'space'], {
      description:
        'Broken links only: `change-request`, those that the change request adds or breaks; `space`, those that are broken ' +
        'in the space already',
      // Not together with another status.
      examples: [undefined],
    }),
  ),
});

const versionContext = Type.Optional(
  Type.Union([
    Type.Object({ type: Type.Literal('revision'), revision: Revision }, { title: 'RevisionContext' }),
    Type.Object(
      { type: Type.Literal('changeRequest'), changeRequest: ChangeRequest },
      { title: 'ChangeRequestContext' },
    ),
  ]),
);
const inSpace = { organization: Organization, space: Space, versionContext };

const internalLocation = Type.Optional(Type.Object({ type: Type.Literal('anchor'), anchor: Type.String() }));

const ContentLocation = Type.Union([
  named('ContentLocationPage', { kind: Type.Literal('page'), ...inSpace, page: Page, internalLocation }),
  named('ContentLocationFile', { kind: Type.Literal('file'), ...inSpace, file: File }),
  named('ContentLocationReusableContent', {
    kind: Type.Literal('reusable-content'),
    ...inSpace,
    reusableContent: ReusableContent,
  }),
  named('ContentLocationURL', { kind: Type.Literal('url'), url: Type.String() }),
  named('ContentLocationUser', { kind: Type.Literal('user'), user: User }),
  named('ContentLocationCollection', {
    kind: Type.Literal('collection'),
    organization: Organization,
    collection: Collection,
  }),
  named('ContentLocationSpace', { kind: Type.Literal('space'), organization: Organization, space: Space }),
]);

const Link = named('ContentReferenceUsage', {
  status: Status,
  relation: Type.Enum(['reference', 'dependsOn'], {
    description: '`dependsOn`: the content of the target is part of the source, as with an include',
  }),
  targetReference: Type.Optional(ContentLocation),
  locationReferences: Type.Array(ContentLocation, {
    description: 'Pages and reusable contents with the link',
  }),
  locationCount: Type.Integer({
    description:
      'Number of pages and reusable contents with the link; `locationReferences` has at most 20 of them',
  }),
  href: Type.Optional(
    Type.String({ description: 'The path of a link whose target does not exist in the space' }),
  ),
  check: Type.Optional(
    Type.Object(
      { at: Timestamp, problem: Type.Optional(Type.String()) },
      {
        description:
          'The last check of an external link; `problem`: its result, also where it is not `broken`',
      },
    ),
  ),
});

export const Links = Type.Object({
  ...listOf(Link).properties,
  stats: Type.Object({
    total: Type.Number(),
    broken: Type.Object({
      total: Type.Number(),
      changeRequest: Type.Optional(
        Type.Number({ description: 'Of a change request: the broken links that it adds or breaks' }),
      ),
    }),
  }),
});

export const Backlinks = listOf(ContentLocation);

export const LinkCheck = named('LinkCheck', {
  object: Type.Literal('link-check'),
  status: Type.Enum(['pending', 'in-progress']),
  total: Type.Integer({ description: 'Number of different external URLs in the space' }),
  remaining: Type.Integer({ description: 'Number of those that are still to be checked' }),
  urls: Type.Object({
    links: Type.String({ description: 'The list of links, whose items have the results', format: 'uri' }),
  }),
});
export type LinkCheck = Static<typeof LinkCheck>;
