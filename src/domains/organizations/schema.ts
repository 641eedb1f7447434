import Type from 'typebox';
import { line, named, nullable, RoleOrNull, Timestamp, Uri } from '../../platform/schema.ts';

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

/** Merge rules of an organization; the rules themselves are evaluated at merge. */
const MergeRules = Type.Object({ type: Type.String(), rules: Type.Optional(Type.Array(Type.Unknown())) });

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
  trial: Type.Object({ status: Type.Literal('notapplicable') }),
  urls: Type.Object({ location: Uri, app: Uri, logo: Type.Optional(Uri) }),
  permissions: Type.Object({
    view: Type.Boolean(),
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
  emailDomains: Type.Optional(Type.Array(EmailDomain, { maxItems: 100 })),
  hostname: Type.Optional(
    Type.String({
      minLength: 3,
      maxLength: 32,
      pattern: '^[a-z0-9][a-z0-9-]{1,30}[a-z0-9]$',
      examples: ['acme-docs'],
    }),
  ),
  defaultRole: Type.Optional(RoleOrNull),
  defaultContent: Type.Optional({ ...nullable(DefaultContent), examples: [null] }),
  logo: Type.Optional(nullable(Type.String({ format: 'uri', maxLength: 2048, pattern: '^https?://' }))),
  sso: Type.Optional(Type.Boolean({ examples: [false] })),
  ai: Type.Optional(Type.Boolean()),
  inviteLinks: Type.Optional(Type.Boolean()),
});
