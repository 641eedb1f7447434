import { atLeast, type Role } from '../../access/index.ts';
import type { InstallationRoles } from '../../members/index.ts';
import type { IntegrationScope } from '../policy.ts';

/** What a scope lets a token of an installation do: these operations, where the installation has this role. */
interface Reach {
  readonly space?: Role;
  readonly site?: Role;
  readonly specs?: Role;
  readonly operations: readonly string[];
}

/** Of every token: its own installation. */
export const OWN_SCOPE = 'integration:installation';

const OWN_OPERATIONS = [
  'getIntegrationInstallationById',
  'updateIntegrationInstallation',
  'listIntegrationInstallationSpaces',
  'getIntegrationSpaceInstallation',
  'updateIntegrationSpaceInstallation',
  'listIntegrationInstallationSites',
  'getIntegrationSiteInstallation',
  'updateIntegrationSiteInstallation',
] as const;

/** Scripts of sites do not run, and nothing counts readers of a space: those scopes reach nothing. */
const REACH: Readonly<Record<IntegrationScope, Reach>> = {
  'space:content:read': {
    space: 'read',
    operations: [
      'getCurrentRevision',
      'listPages',
      'listFiles',
      'getFileById',
      'getPageById',
      'getPageByPath',
      'getPageDocumentById',
      'getReusableContentById',
      'getReusableContentDocumentById',
      'getDocumentById',
      'listPageLinksInSpace',
      'listSpaceLinks',
      'listSpaceFileBacklinks',
      'listSpacePageBacklinks',
      'getRevisionById',
      'listPagesInRevisionById',
      'listFilesInRevisionById',
      'getFileInRevisionById',
      'getPageInRevisionById',
      'getPageInRevisionByPath',
      'getPageDocumentInRevisionById',
      'getReusableContentInRevisionById',
      'getReusableContentDocumentInRevisionById',
      'getRevisionSemanticChanges',
      'listRevisions',
      'listChangeRequests',
      'getChangeRequestById',
      'getChangeRequestChanges',
      'getRevisionOfChangeRequestById',
      'listPagesInChangeRequest',
      'listFilesInChangeRequestById',
      'getFileInChangeRequestById',
      'getPageInChangeRequestById',
      'getPageInChangeRequestByPath',
      'searchSpaceContent',
    ],
  },
  'space:content:write': {
    space: 'edit',
    operations: [
      'updateContent',
      'importContent',
      'importContentInPageById',
      'createChangeRequest',
      'updateChangeRequestById',
      'updateChangeRequestContent',
      'updateChangeRequest',
      'importContentInChangeRequest',
      'importContentInChangeRequestPageById',
    ],
  },
  'space:metadata:read': { space: 'read', operations: ['getSpaceById', 'listSpacesInOrganizationById'] },
  'space:metadata:write': { space: 'admin', operations: ['updateSpaceById'] },
  'space:views:read': { operations: [] },
  'space:git:sync': {
    space: 'admin',
    operations: ['importGitRepository', 'exportToGitRepository', 'getSpaceGitInfo'],
  },
  'page:feedback:read': { site: 'admin', operations: ['listSitePageFeedback'] },
  'site:metadata:read': {
    site: 'read',
    operations: [
      'listSites',
      'getSiteById',
      'getSiteStructure',
      'listSiteSections',
      'listSiteSectionGroups',
      'listSiteSpaces',
      'getPublishedContentSite',
      'getSiteCustomizationById',
    ],
  },
  'site:views:read': {
    site: 'admin',
    operations: ['aggregateSiteEvents', 'listSitePageStatistics', 'listSiteSearchStatistics'],
  },
  'site:script:inject': { operations: [] },
  'site:script:cookies': { operations: [] },
  'site:visitor:auth': { site: 'admin', operations: ['getSitePublishingAuthById'] },
  'site:adaptive:read': {
    site: 'read',
    operations: ['getSiteAdaptiveSchema', 'listSiteAdaptiveTemplateConditions'],
  },
  'site:adaptive:write': { site: 'admin', operations: ['updateSiteAdaptiveSchema'] },
  'openapi:read': { specs: 'read', operations: [] },
  'openapi:write': { specs: 'create', operations: [] },
  'conversations:ingest': { operations: [] },
};

/** The scopes of tokens of installations, by the operation that they admit to. Those of specifications are the operations' own. */
export function finerScopes(): ReadonlyMap<string, readonly string[]> {
  const scopes = new Map<string, string[]>();
  const entries = [
    [OWN_SCOPE, OWN_OPERATIONS] as const,
    ...Object.entries(REACH).map(([scope, { operations }]) => [scope, operations] as const),
  ];
  for (const [scope, operations] of entries)
    for (const id of operations) scopes.set(id, [...(scopes.get(id) ?? []), scope]);
  return scopes;
}

/** The roles that the scopes need: on each space, on each site, and on the specifications of the organization. */
export function rolesOf(scopes: readonly IntegrationScope[]): InstallationRoles {
  const highest = (of: 'space' | 'site' | 'specs') =>
    scopes.reduce<Role | null>((role, scope) => {
      const needed = REACH[scope][of];
      return needed && !(role && atLeast(role, needed)) ? needed : role;
    }, null);
  return { spaces: highest('space'), sites: highest('site'), specs: highest('specs') };
}
