import { adaptiveSites } from '../../src/domains/adaptive-schema/policy.ts';
import { customHostnames, subdomains } from '../../src/domains/custom-hostnames/policy.ts';
import { customizedSites, customizedSiteSpaces } from '../../src/domains/customization/policy.ts';
import { publishedSites } from '../../src/domains/publishing/policy.ts';
import { siteRedirects } from '../../src/domains/redirects/policy.ts';
import { revalidatedSites } from '../../src/domains/revalidation/policy.ts';
import {
  shareLinks,
  sites,
  siteSectionGroups,
  siteSections,
  siteSpaces,
} from '../../src/domains/sites/policy.ts';
import { newId } from '../../src/platform/api/ids.ts';
import type { Resource } from '../../src/platform/api/resource.ts';
import type { TestApp } from '../app.ts';
import type { Side } from '../world.ts';
import { type Builder, post } from './builder.ts';

/** A space for a site to show. */
const aShownSpace = async (test: TestApp, side: Side): Promise<string> =>
  (await post(test, side, '/spaces', { body: { title: `Shown marker-${side.name}` } })).id;

const aSite: Builder = (test, side) =>
  post(test, side, '/sites', { body: { title: `Site of marker-${side.name}` } });

const aSiteSpace: Builder = async (test, side, _caller, builtSoFar) => {
  const siteId = builtSoFar.get(sites) ?? builtSoFar.get(publishedSites);
  const body = { spaceId: await aShownSpace(test, side) };
  return post(test, side, `/sites/${siteId}/site-spaces`, { body });
};

/** The URL of a published site with a space; of the given site, if there is one. */
export async function aPublishedUrl(test: TestApp, side: Side, given?: string): Promise<string> {
  const siteId = given ?? (await post(test, side, '/sites', { body: { title: 'For every reader' } })).id;
  await post(test, side, `/sites/${siteId}/site-spaces`, {
    body: { spaceId: await aShownSpace(test, side) },
  });
  const site = await test.call('POST', `/v1/orgs/${side.organizationId}/sites/${siteId}/publish`, {
    token: side.admin.token,
  });
  return site.body.urls.published;
}

/** The URL of a space in the app. */
export const aSpaceUrl = async (test: TestApp, side: Side): Promise<string> =>
  test.app.context.addresses.of(`/app/spaces/${await aShownSpace(test, side)}`);

export const aRedirect: Builder = async (test, side, caller, builtSoFar) => {
  const siteSpaceId = (await aSiteSpace(test, side, caller, builtSoFar)).id;
  const body = { source: `/${newId()}`, destination: { kind: 'site-space', siteSpaceId } };
  return post(test, side, `/sites/${builtSoFar.get(sites)}/redirects`, { body });
};

/** An active hostname. */
const aHostname: Builder = async (test, side, caller, builtSoFar) => {
  const site = (await aSite(test, side, caller, builtSoFar)).id;
  const hostname = `${newId().toLowerCase()}.marker-${side.name}.example`;
  const body = { target: { type: 'site', site } };
  await test.call('PUT', `/v1/custom-hostnames/${hostname}`, { token: side.admin.token, body });
  await test.sql(`update custom_hostnames set proven_by = 'operator' where hostname = $1`, [hostname]);
  return { id: hostname };
};

export const sitesBuilders: readonly (readonly [Resource, Builder])[] = [
  [sites, aSite],
  [customizedSites, aSite],
  [publishedSites, aSite],
  [adaptiveSites, aSite],
  [revalidatedSites, aSite],
  [
    siteSections,
    async (test, side, _caller, builtSoFar) => {
      const at = `/sites/${builtSoFar.get(sites)}`;
      const spaceId = await aShownSpace(test, side);
      const section = await post(test, side, `${at}/sections`, { body: { spaceId } });
      const groupId = builtSoFar.get(siteSectionGroups);
      if (groupId)
        await post(test, side, `${at}/section-groups/${groupId}/sections`, {
          body: { sectionId: section.id },
        });
      return section;
    },
  ],
  [
    siteSectionGroups,
    (test, side, _caller, builtSoFar) =>
      post(test, side, `/sites/${builtSoFar.get(sites)}/section-groups`, {
        body: { title: `Of marker-${side.name}` },
      }),
  ],
  [siteSpaces, aSiteSpace],
  [customizedSiteSpaces, aSiteSpace],
  [siteRedirects, aRedirect],
  [customHostnames, aHostname],
  [
    subdomains,
    async (test, side) => {
      const hostname = `marker-${side.name}-${newId().slice(0, 8)}`.toLowerCase();
      await test.sql('update organizations set hostname = $1 where id = $2', [hostname, side.organizationId]);
      return { id: hostname };
    },
  ],
  [
    shareLinks,
    (test, side, _caller, builtSoFar) =>
      post(test, side, `/sites/${builtSoFar.get(sites)}/share-links`, {
        body: { name: `Of marker-${side.name}` },
      }),
  ],
];
