import type { Answer, TestApp } from './app.ts';
import { edit } from './builders/content.ts';
import { type Side } from './world.ts';

export interface TestSite {
  readonly id: string;
  /** The path of the site in the API. */
  readonly path: string;
  readonly spaceId: string;
  readonly siteSpaceId: string;
  /** A page of the space, `guide/install`. */
  readonly pageId: string;
}

const created = (answer: Answer) => {
  if (answer.status >= 300) throw new Error(`a site was refused: ${answer.status} ${answer.text}`);
  return answer.body;
};

/** A new space with the pages `guide` and `guide/install`. */
export async function aSpaceWithPages(test: TestApp, side: Side) {
  const { token } = side.admin;
  const body = { title: 'Docs', editMode: 'live' };
  const { id } = created(await test.call('POST', `/v1/orgs/${side.organizationId}/spaces`, { token, body }));
  const document = { markdown: 'Text' };
  await edit(test, side, id, [{ operation: 'insert_page', title: 'Guide', slug: 'guide', document }]);
  const pages = await test.call('GET', `/v1/spaces/${id}/content/pages`, { token });
  const into = pages.body.pages.find((page: { slug: string }) => page.slug === 'guide').id;
  await edit(test, side, id, [
    { operation: 'insert_page', title: 'Install', slug: 'install', document, into },
  ]);
  const page = await test.call('GET', `/v1/spaces/${id}/content/path/guide%2Finstall`, { token });
  return { spaceId: id as string, pageId: created(page).id as string };
}

/** A site that shows such a space. */
export async function aSite(test: TestApp, side: Side): Promise<TestSite> {
  const { token } = side.admin;
  const space = await aSpaceWithPages(test, side);
  const sites = `/v1/orgs/${side.organizationId}/sites`;
  const body = { title: 'Handbook', spaces: [space.spaceId] };
  const { id } = created(await test.call('POST', sites, { token, body }));
  const path = `${sites}/${id}`;
  const siteSpaces = await test.call('GET', `${path}/site-spaces`, { token });
  return { id, path, ...space, siteSpaceId: created(siteSpaces).items[0].id };
}
