import Type, { type Static } from 'typebox';
import { idOf } from '../../platform/api/resource.ts';
import { needsScope } from '../../platform/api/scope.ts';
import { line, named, nullable, Timestamp, Uri } from '../../platform/api/schema.ts';
import { RoleOrNull } from '../access/index.ts';
import { people } from './policy.ts';

const OrganizationType = Type.Enum(['business', 'community']);
const UseCase = Type.Enum([
  'internalDocs',
  'docsSite',
  'audienceControlledSite',
  'productDocs',
  'teamKnowledgeBase',
  'designSystem',
  'openSourceDocs',
  'notes',
  'other',
]);
const CommunityType = Type.Enum(['nonProfit', 'openSource', 'education']);
const DefaultContent = Type.Object({ type: Type.Literal('site'), site: Type.String() });

const peopleRule = <R extends string>(rule: R) =>
  Type.Object({
    rule: Type.Literal(rule),
    users: Type.Array(idOf(people, 'view'), { minItems: 1, maxItems: 100 }),
  });
const plainRule = <R extends string>(rule: R) => Type.Object({ rule: Type.Literal(rule) });

/** A condition for merging a change request. */
const MergeRule = Type.Union([
  peopleRule('require_specific_reviewers'),
  peopleRule('require_one_of_specific_reviewers'),
  peopleRule('allow_bypass'),
  plainRule('require_at_least_one_review'),
  plainRule('require_at_least_one_approved_review'),
  plainRule('require_all_reviews_approved'),
  plainRule('require_agent_review'),
  plainRule('require_up_to_date_change_request'),
  plainRule('require_change_request_subject'),
  plainRule('require_change_request_description'),
  plainRule('require_author_to_merge'),
  Type.Object({ rule: Type.Literal('custom'), expression: Type.String({ minLength: 1, maxLength: 1024 }) }),
]);

/** The rules as the API returns them; `MergeRule` validates them. */
export const MergeRules = Type.Object({
  type: Type.Enum(['inherit', 'none', 'rules']),
  rules: Type.Optional(
    Type.Array(Type.Unsafe<Static<typeof MergeRule>>({ type: 'object', additionalProperties: true })),
  ),
});
export type MergeRules = Static<typeof MergeRules>;

const rules = Type.Array(MergeRule, { maxItems: 20 });

/** Rules as they can be set. */
const NewMergeRules = Type.Union(
  [Type.Object({ type: Type.Literal('none') }), Type.Object({ type: Type.Literal('rules'), rules })],
  { examples: [{ type: 'none' }] },
);

/** A space can also inherit the rules of its organization. */
export const SpaceMergeRules = Type.Union(
  [
    Type.Object({ type: Type.Literal('inherit') }),
    Type.Object({ type: Type.Literal('none') }),
    Type.Object({ type: Type.Literal('rules'), rules }),
  ],
  { examples: [{ type: 'inherit' }] },
);

export const Organization = named('Organization', {
  object: Type.Literal('organization'),
  id: Type.String(),
  title: Type.String(),
  createdAt: Timestamp,
  emailDomains: Type.Array(Type.String()),
  hostname: Type.Optional(Type.String()),
  type: OrganizationType,
  useCase: Type.Optional(UseCase),
  communityType: Type.Optional(CommunityType),
  defaultRole: RoleOrNull,
  defaultContent: Type.Optional(DefaultContent),
  sso: Type.Boolean(),
  ai: Type.Boolean(),
  inviteLinks: Type.Boolean(),
  plan: Type.Literal('enterprise_2024'),
  mergeRules: MergeRules,
  trial: Type.Object({ status: Type.Literal('notapplicable'), count: Type.Literal(0) }),
  urls: Type.Object({ location: Uri, app: Uri, logo: Type.Optional(Uri) }),
  permissions: Type.Object({
    view: Type.Boolean(),
    access: Type.Boolean(),
    admin: Type.Boolean(),
    ownTeam: Type.Boolean(),
    createContent: Type.Boolean(),
    createOpenAPISpec: Type.Boolean(),
    ingestConversations: Type.Boolean(),
    viewBilling: Type.Boolean(),
    listMembers: Type.Boolean(),
    listTeams: Type.Boolean(),
    listIntegrations: Type.Boolean(),
    listInstallations: Type.Boolean(),
    installIntegration: Type.Boolean(),
  }),
});

const EmailDomain = Type.String({
  maxLength: 253,
  pattern: '^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$',
  description: 'Domain of e-mail addresses',
  examples: ['acme.example'],
});

export const EmailDomainPath = Type.Object({ emailDomain: EmailDomain });

export const NewOrganization = Type.Object({
  title: line(2, 255),
  emailDomains: Type.Optional(Type.Array(EmailDomain, { maxItems: 100 })),
  type: Type.Optional(OrganizationType),
  useCase: Type.Optional(UseCase),
});

export const OrganizationPatch = Type.Object({
  title: Type.Optional(line(2, 255)),
  emailDomains: Type.Optional(
    needsScope('organization:members:write', Type.Array(EmailDomain, { maxItems: 100 })),
  ),
  hostname: Type.Optional(
    Type.String({
      minLength: 3,
      maxLength: 32,
      pattern: '^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$',
      examples: ['acme-docs'],
    }),
  ),
  defaultRole: Type.Optional(needsScope('organization:members:write', RoleOrNull)),
  defaultContent: Type.Optional({ ...nullable(DefaultContent), examples: [null] }),
  logo: Type.Optional(nullable(Type.String({ format: 'uri', maxLength: 2048, pattern: '^https?://' }))),
  sso: Type.Optional(Type.Boolean({ examples: [false] })),
  ai: Type.Optional(Type.Boolean()),
  inviteLinks: Type.Optional(needsScope('organization:members:write', Type.Boolean())),
  mergeRules: Type.Optional(needsScope('organization:members:write', NewMergeRules)),
});
