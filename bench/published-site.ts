import type { Api } from './api.ts';
import type { RequestSpec } from './row.ts';
import type { Space } from './space.ts';

/** A published site of one space, as readers see it. */
export interface PublishedSite {
  /** The path of its start page, without the slash at its end. */
  readonly path: string;
  readonly siteSpaceId: string;
  /** The path of each page, in the order of the pages of the space. */
  readonly pages: readonly string[];
}

interface TreePage {
  readonly id: string;
  readonly path: string;
  readonly pages?: readonly TreePage[];
}

/** What a browser asks for. */
export const pageRequest = (path: string, encoding: 'br' | 'gzip' = 'br'): RequestSpec => ({
  path,
  headers: { accept: 'text/html', 'accept-encoding': encoding },
});

export async function publishSite(api: Api, space: Space, settings: object = {}): Promise<PublishedSite> {
  const { organization } = await api.send<{ organization: string }>({ path: `/v1/spaces/${space.id}` });
  const sites = `/v1/orgs/${organization}/sites`;
  const { id, basename } = await api.send<{ id: string; basename: string }>({
    method: 'POST',
    path: sites,
    body: { title: 'Measured', spaces: [space.id] },
  });
  await api.send({ method: 'PUT', path: `${sites}/${id}/customization`, body: settings });
  await api.send({ method: 'POST', path: `${sites}/${id}/publish` });
  const { items } = await api.send<{ items: { id: string }[] }>({ path: `${sites}/${id}/site-spaces` });
  const { pages } = await api.send<{ pages: TreePage[] }>({ path: `/v1/spaces/${space.id}/content/pages` });
  const paths = new Map(allPages(pages).map((page) => [page.id, page.path]));
  // The first page is the start page.
  paths.set(pages[0]?.id ?? '', '');
  return {
    path: `/${basename}`,
    siteSpaceId: items[0]?.id ?? '',
    pages: space.pages.map((page) => `/${basename}/${paths.get(page) ?? ''}`),
  };
}

const allPages = (pages: readonly TreePage[]): TreePage[] =>
  pages.flatMap((page) => [page, ...allPages(page.pages ?? [])]);
