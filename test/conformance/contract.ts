import type { Method } from '../../src/platform/api/operation.ts';

/** One operation of the contract. Its id is that of the public schema for the same method and path. */
export interface ContractOperation {
  readonly section: string;
  readonly method: Method;
  readonly path: string;
  readonly operationId: string;
  readonly status: number;
}

const S = '/v1/spaces/{spaceId}';
const Q = `${S}/change-requests/{changeRequestId}`;
const O = '/v1/orgs/{organizationId}';
const T = `${O}/sites/{siteId}`;

type Row = readonly [method: Method, path: string, operationId: string, status: number];

const section = (name: string, rows: readonly Row[]): ContractOperation[] =>
  rows.map(([method, path, operationId, status]) => ({ section: name, method, path, operationId, status }));

export const CONTRACT: readonly ContractOperation[] = [
  ...section('Space comments', [
    ['GET', `${S}/comments`, 'listCommentsInSpace', 200],
    ['POST', `${S}/comments`, 'postCommentInSpace', 200],
    ['GET', `${S}/comments/{commentId}`, 'getCommentInSpace', 200],
    ['PUT', `${S}/comments/{commentId}`, 'updateCommentInSpace', 200],
    ['DELETE', `${S}/comments/{commentId}`, 'deleteCommentInSpace', 205],
    ['POST', `${S}/comments/{commentId}/replies`, 'postCommentReplyInSpace', 200],
    ['GET', `${S}/comments/{commentId}/replies/{commentReplyId}`, 'getCommentReplyInSpace', 200],
    ['PUT', `${S}/comments/{commentId}/replies/{commentReplyId}`, 'updateCommentReplyInSpace', 200],
    ['DELETE', `${S}/comments/{commentId}/replies/{commentReplyId}`, 'deleteCommentReplyInSpace', 205],
  ]),
  ...section('Change request comments', [
    ['GET', `${Q}/comments`, 'listCommentsInChangeRequest', 200],
    ['POST', `${Q}/comments`, 'postCommentInChangeRequest', 200],
    ['GET', `${Q}/comments/{commentId}`, 'getCommentInChangeRequest', 200],
    ['PUT', `${Q}/comments/{commentId}`, 'updateCommentInChangeRequest', 200],
    ['DELETE', `${Q}/comments/{commentId}`, 'deleteCommentInChangeRequest', 205],
    ['GET', `${Q}/comments/{commentId}/replies`, 'listCommentRepliesInChangeRequest', 200],
    ['POST', `${Q}/comments/{commentId}/replies`, 'postCommentReplyInChangeRequest', 200],
    ['GET', `${Q}/comments/{commentId}/replies/{commentReplyId}`, 'getCommentReplyInChangeRequest', 200],
  ]),
  ...section('Collections', [
    ['GET', '/v1/collections/{collectionId}', 'getCollectionById', 200],
    ['DELETE', '/v1/collections/{collectionId}', 'deleteCollectionById', 205],
    ['PATCH', '/v1/collections/{collectionId}', 'updateCollectionById', 200],
    ['GET', '/v1/collections/{collectionId}/spaces', 'listSpacesInCollectionById', 200],
    ['POST', '/v1/collections/{collectionId}/move', 'moveCollection', 200],
    ['POST', '/v1/collections/{collectionId}/transfer', 'transferCollection', 200],
    ['GET', `${O}/collections`, 'listCollectionsInOrganizationById', 200],
    ['POST', `${O}/collections`, 'createCollection', 201],
  ]),
  ...section('Spaces', [
    ['GET', S, 'getSpaceById', 200],
    ['DELETE', S, 'deleteSpaceById', 205],
    ['PATCH', S, 'updateSpaceById', 200],
    ['POST', `${S}/duplicate`, 'duplicateSpace', 201],
    ['POST', `${S}/restore`, 'restoreSpace', 200],
    ['POST', `${S}/move`, 'moveSpace', 200],
    ['POST', `${S}/transfer`, 'transferSpace', 200],
    ['GET', `${S}/links`, 'listSpaceLinks', 200],
  ]),
  ...section('Space content', [
    ['GET', `${S}/search`, 'searchSpaceContent', 200],
    ['GET', `${S}/content`, 'getCurrentRevision', 200],
    ['POST', `${S}/content/import`, 'importContent', 201],
    ['GET', `${S}/content/pages`, 'listPages', 200],
    ['GET', `${S}/content/files`, 'listFiles', 200],
    ['GET', `${S}/content/files/{fileId}`, 'getFileById', 200],
    ['GET', `${S}/content/files/{fileId}/backlinks`, 'listSpaceFileBacklinks', 200],
    ['GET', `${S}/content/page/{pageId}`, 'getPageById', 200],
    ['GET', `${S}/content/page/{pageId}/links`, 'listPageLinksInSpace', 200],
  ]),
  ...section('Change request content', [
    ['GET', `${Q}/content`, 'getRevisionOfChangeRequestById', 200],
    ['POST', `${Q}/content/import`, 'importContentInChangeRequest', 201],
    ['GET', `${Q}/content/pages`, 'listPagesInChangeRequest', 200],
    ['GET', `${Q}/content/files`, 'listFilesInChangeRequestById', 200],
    ['GET', `${Q}/content/files/{fileId}`, 'getFileInChangeRequestById', 200],
    ['GET', `${Q}/content/files/{fileId}/backlinks`, 'listChangeRequestFileBacklinks', 200],
    ['GET', `${Q}/content/page/{pageId}`, 'getPageInChangeRequestById', 200],
    ['GET', `${Q}/content/page/{pageId}/links`, 'listPageLinksInChangeRequest', 200],
  ]),
  ...section('Change requests', [
    ['GET', `${S}/change-requests`, 'listChangeRequestsForSpace', 200],
    ['POST', `${S}/change-requests`, 'createChangeRequest', 201],
    ['GET', Q, 'getChangeRequestById', 200],
    ['PATCH', Q, 'updateChangeRequestById', 200],
    ['POST', `${Q}/merge`, 'mergeChangeRequest', 200],
    ['POST', `${Q}/update`, 'updateChangeRequest', 200],
    ['GET', `${Q}/pdf`, 'getChangeRequestPDF', 200],
    ['GET', `${Q}/requested-reviewers`, 'getRequestedReviewersByChangeRequestId', 200],
    ['POST', `${Q}/requested-reviewers`, 'requestReviewersForChangeRequest', 200],
    ['DELETE', `${Q}/requested-reviewers/{userId}`, 'removeRequestedReviewerFromChangeRequest', 205],
  ]),
  ...section('Site sections', [
    ['GET', `${T}/sections`, 'listSiteSections', 200],
    ['POST', `${T}/sections`, 'addSectionToSite', 201],
    ['DELETE', `${T}/sections/{siteSectionId}`, 'deleteSiteSectionById', 205],
    ['PATCH', `${T}/sections/{siteSectionId}`, 'updateSiteSectionById', 200],
    ['POST', `${T}/sections/{siteSectionId}/move`, 'moveSiteSection', 200],
  ]),
  ...section('Site section groups', [
    ['GET', `${T}/section-groups`, 'listSiteSectionGroups', 200],
    ['POST', `${T}/section-groups`, 'addSectionGroupToSite', 201],
    ['PATCH', `${T}/section-groups/{siteSectionGroupId}`, 'updateSiteSectionGroupById', 200],
    ['DELETE', `${T}/section-groups/{siteSectionGroupId}`, 'deleteSiteSectionGroupById', 205],
    ['POST', `${T}/section-groups/{siteSectionGroupId}/sections`, 'addSectionToGroup', 201],
    [
      'DELETE',
      `${T}/section-groups/{siteSectionGroupId}/sections/{siteSectionId}`,
      'removeSectionFromGroup',
      205,
    ],
    ['POST', `${T}/section-groups/{siteSectionGroupId}/move`, 'moveSiteSectionGroup', 200],
  ]),
  ...section('Site spaces', [
    ['GET', `${T}/site-spaces`, 'listSiteSpaces', 200],
    ['POST', `${T}/site-spaces`, 'addSpaceToSite', 201],
    ['DELETE', `${T}/site-spaces/{siteSpaceId}`, 'deleteSiteSpaceById', 205],
    ['PATCH', `${T}/site-spaces/{siteSpaceId}`, 'updateSiteSpaceById', 200],
    ['POST', `${T}/site-spaces/{siteSpaceId}/move`, 'moveSiteSpace', 200],
  ]),
  ...section('Site share links', [
    ['GET', `${T}/share-links`, 'listSiteShareLinks', 200],
    ['POST', `${T}/share-links`, 'createSiteShareLink', 201],
    ['PATCH', `${T}/share-links/{shareLinkId}`, 'updateSiteShareLinkById', 200],
    ['DELETE', `${T}/share-links/{shareLinkId}`, 'deleteSiteShareLinkById', 205],
  ]),
  ...section('Organizations', [
    ['GET', '/v1/orgs', 'listOrganizationsForAuthenticatedUser', 200],
    ['GET', O, 'getOrganizationById', 200],
    ['PATCH', O, 'updateOrganizationById', 200],
    ['DELETE', `${O}/link-invites/{inviteId}`, 'deleteOrganizationInviteById', 205],
    ['GET', `${O}/search`, 'searchOrganizationContent', 200],
    ['GET', '/v1/email-domains/{emailDomain}/orgs', 'getOrganizationsForEmailDomain', 200],
  ]),
  ...section('Teams', [
    ['GET', `${O}/teams`, 'listTeamsInOrganizationById', 200],
    ['PUT', `${O}/teams`, 'createOrganizationTeam', 201],
    ['GET', `${O}/teams/{teamId}`, 'getTeamInOrganizationById', 200],
    ['PATCH', `${O}/teams/{teamId}`, 'updateTeamInOrganizationById', 200],
    ['DELETE', `${O}/teams/{teamId}`, 'removeTeamFromOrganizationById', 204],
  ]),
  ...section('SSO', [
    ['GET', `${O}/saml`, 'listSAMLProvidersInOrganizationById', 200],
    ['POST', `${O}/saml`, 'createOrganizationSAMLProvider', 201],
    ['GET', `${O}/saml/{samlProviderId}`, 'getOrganizationSAMLProviderById', 200],
    ['PATCH', `${O}/saml/{samlProviderId}`, 'updateOrganizationSAMLProvider', 200],
    ['DELETE', `${O}/saml/{samlProviderId}`, 'deleteOrganizationSAMLProvider', 204],
    ['GET', `${O}/sso`, 'listSSOProviderLoginsInOrganization', 200],
  ]),
  ...section('Translations', [
    ['GET', `${O}/translations`, 'listTranslations', 200],
    ['POST', `${O}/translations`, 'createTranslation', 201],
    ['GET', `${O}/translations/{translationSettingsId}`, 'getTranslation', 200],
    ['PUT', `${O}/translations/{translationSettingsId}`, 'updateTranslation', 200],
    ['DELETE', `${O}/translations/{translationSettingsId}`, 'deleteTranslation', 205],
  ]),
  ...section('OpenAPI specs', [
    ['GET', `${O}/openapi`, 'listOpenAPISpecs', 200],
    ['POST', `${O}/openapi`, 'createOpenAPISpec', 201],
    ['GET', `${O}/openapi/{specSlug}`, 'getOpenAPISpecBySlug', 200],
    ['PUT', `${O}/openapi/{specSlug}`, 'createOrUpdateOpenAPISpecBySlug', 200],
    ['DELETE', `${O}/openapi/{specSlug}`, 'deleteOpenAPISpecBySlug', 205],
    ['GET', `${O}/openapi/{specSlug}/versions`, 'listOpenAPISpecVersions', 200],
    ['GET', `${O}/openapi/{specSlug}/versions/latest`, 'getLatestOpenAPISpecVersion', 200],
    ['GET', `${O}/openapi/{specSlug}/versions/latest/content`, 'getLatestOpenAPISpecVersionContent', 200],
    ['GET', `${O}/openapi/{specSlug}/versions/{versionId}`, 'getOpenAPISpecVersionById', 200],
    ['GET', `${O}/openapi/{specSlug}/versions/{versionId}/content`, 'getOpenAPISpecVersionContentById', 200],
  ]),
  ...section('Integrations', [
    ['GET', '/v1/integrations', 'listIntegrations', 200],
    ['GET', '/v1/integrations/{integrationName}', 'getIntegrationByName', 200],
    ['POST', '/v1/integrations/{integrationName}', 'publishIntegration', 200],
    ['DELETE', '/v1/integrations/{integrationName}', 'unpublishIntegration', 204],
  ]),
  ...section('Git', [
    ['POST', `${S}/git/import`, 'importGitRepository', 204],
    ['POST', `${S}/git/export`, 'exportToGitRepository', 204],
    ['GET', `${S}/git/info`, 'getSpaceGitInfo', 200],
  ]),
];

/** A path without the names of its parameters, which differ between the contract and the public schema. */
export const shapeOf = (path: string): string => path.replaceAll(/\{[^}]*\}/g, '{}');

const byRoute = new Map(
  CONTRACT.map((operation) => [`${operation.method} ${shapeOf(operation.path)}`, operation]),
);

export const contractOperation = (method: string, path: string): ContractOperation | undefined =>
  byRoute.get(`${method} ${shapeOf(path)}`);
