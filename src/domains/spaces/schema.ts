import Type from 'typebox';
import { idOf } from '../../platform/api/resource.ts';
import { needsScope } from '../../platform/api/scope.ts';
import { line, listQuery, named, nullable, Timestamp, Uri } from '../../platform/api/schema.ts';
import { Level, RoleName, RoleOrNull } from '../access/index.ts';
import { collections } from '../collections/index.ts';
import { MergeRules, organizations, SpaceMergeRules } from '../organizations/index.ts';
import { spaces } from './policy.ts';

const VISIBILITIES = ['public', 'unlisted', 'share-link', 'visitor-auth', 'in-collection', 'private'];
const Visibility = Type.Enum(VISIBILITIES);
const EditMode = Type.Enum(['live', 'locked']);

/** The languages of the public API. */
const Language = Type.Enum(
  (
    'en fr de es it pt pt-br ru ja zh yue ko ar hi nl pl tr sv no da fi el cs hu ro th vi id ms he uk sk bg hr ' +
    'lt lv et sl'
  ).split(' '),
);

export const GitInfo = named('GitInfo', {
  repoName: Type.Optional(Type.String()),
  installationProvider: Type.Optional(
    Type.Enum(['github', 'gitlab', 'github-legacy'], {
      description: 'Absent for another provider than GitHub and GitLab',
    }),
  ),
  installationId: Type.String({ description: 'The id of the space: it has one repository' }),
  installationStatus: Type.Literal('active'),
  integration: Type.Optional(Type.String()),
  url: Type.Optional(Uri),
  updatedAt: Type.Optional(Timestamp),
});

export const Space = named('Space', {
  object: Type.Literal('space'),
  id: Type.String(),
  title: Type.String(),
  emoji: Type.String({ description: 'Empty if none is set' }),
  visibility: Type.Enum(VISIBILITIES, {
    description:
      'Audience of the published content: the widest of the setting and of the sites that show the space',
  }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  deletedAt: Type.Optional(Timestamp),
  editMode: EditMode,
  mergeRules: MergeRules,
  urls: Type.Object({
    location: Uri,
    app: Uri,
    published: Type.Optional({ ...Uri, description: 'Where a published site shows the space' }),
    icon: Type.Optional(Uri),
  }),
  organization: Type.String(),
  parent: Type.Optional(Type.String()),
  language: Type.Optional(Language),
  gitSync: Type.Optional(GitInfo),
  revision: Type.String(),
  defaultLevel: RoleOrNull,
  comments: Type.Number(),
  changeRequests: Type.Number(),
  changeRequestsOpen: Type.Number(),
  changeRequestsDraft: Type.Number(),
  permissions: Type.Object({
    view: Type.Boolean(),
    access: Type.Boolean(),
    admin: Type.Boolean(),
    viewInviteLinks: Type.Boolean(),
    edit: Type.Boolean(),
    triggerGitSync: Type.Boolean(),
    comment: Type.Boolean(),
    merge: Type.Boolean(),
    review: Type.Boolean(),
    installIntegration: Type.Boolean(),
  }),
});

export const MemberSpace = named('MemberSpace', { permission: RoleName, space: Space });

/** The parameter of operations that return URLs of published content. An unknown key is ignored. */
export const shareKey = Type.Optional(
  Type.String({ maxLength: 256, description: 'Key of a share link; the response contains its URLs' }),
);

export const SpaceQuery = Type.Object({ shareKey });

export const SpacesQuery = Type.Object({
  ...listQuery,
  deleted: Type.Optional(
    Type.Boolean({
      default: false,
      description: '`true` lists the deleted spaces that you can restore instead',
    }),
  ),
});

export const MemberSpacesQuery = Type.Object({
  ...listQuery,
  order: Type.Optional(
    Type.Enum(['asc', 'desc'], { default: 'desc', description: 'Sort order, by time of creation' }),
  ),
});

const Emoji = line(0, 50);

export const NewSpace = Type.Object({
  title: Type.Optional(line(0, 50)),
  emoji: Type.Optional(Emoji),
  parent: Type.Optional(idOf(collections, 'create')),
  language: Type.Optional(Language),
  editMode: Type.Optional(EditMode),
});

export const SpacePatch = Type.Object({
  title: Type.Optional(line(0, 50)),
  emoji: Type.Optional(nullable(Emoji)),
  icon: Type.Optional(nullable(Type.String({ format: 'uri', maxLength: 2048, pattern: '^https?://' }))),
  // These two control publishing without a merge or without a review.
  mergeRules: Type.Optional(needsScope('space:permissions:write', SpaceMergeRules)),
  editMode: Type.Optional(needsScope('space:permissions:write', EditMode)),
  defaultLevel: Type.Optional(needsScope('space:permissions:write', Level)),
  language: Type.Optional(Language),
  visibility: Type.Optional(needsScope('site:publish', Visibility)),
});

const SpacePointer = Type.Object({ type: Type.Literal('space'), space: idOf(spaces, 'view') });
const CollectionPointer = Type.Object({
  type: Type.Literal('collection'),
  collection: idOf(collections, 'view'),
});
const Pointer = Type.Union([SpacePointer, CollectionPointer]);

export const Move = Type.Object({
  parent: Type.Optional({
    ...nullable(idOf(collections, 'create')),
    description:
      'Id of the target collection; `null`: the root of the organization; default: the current parent',
  }),
  position: Type.Optional(
    Type.Object(
      { before: Type.Optional(Pointer), after: Type.Optional(Pointer) },
      { description: 'Sibling to place it before or after; default: last', examples: [{}] },
    ),
  ),
});

export const Transfer = Type.Object({ organization: idOf(organizations, 'admin', { crossTenant: true }) });

export const EMBED_DESCRIPTION =
  'A frame for videos and other content of some hosts, otherwise a link. It is derived from the URL: nothing is requested from ' +
  'its host.';

export const EmbedQuery = Type.Object({
  url: Type.String({
    minLength: 1,
    maxLength: 2048,
    description: 'Absolute URL, with `http` or `https`',
    examples: ['https://video.example/watch'],
  }),
});

export const Embed = named('Embed', {
  type: Type.Enum(['link', 'rich'], { description: '`rich`: `html` shows it' }),
  title: Type.String(),
  site: Type.String({ description: 'Host' }),
  html: Type.Optional(Type.String({ description: 'A frame' })),
});
