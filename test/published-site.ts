import { expect } from 'vitest';
import type { Answer, TestApp } from './app.ts';
import { contentsOf, type Contents } from './content.ts';
import type { Side } from './world.ts';

export const HTML = { accept: 'text/html' };

/** A published site of an organization, and how readers see it. */
export interface PublishedSite {
  readonly contents: Contents;
  /** Its path in the API. */
  readonly site: string;
  readonly basename: string;
  readonly id: string;
  /** As an admin; the response must be successful. */
  change(method: string, path: string, body?: unknown): Promise<Answer['body']>;
  /** A request of a reader, by a path below the site. */
  read(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Adds a space; returns its path in the API and the id of its site space. */
  addSpace(title: string, sectionId?: string): Promise<{ space: string; siteSpace: string }>;
}

/** The id in a path of the API. */
export const idIn = (path: string): string => path.split('/').at(-1) ?? '';

export async function aPublishedSite(
  test: TestApp,
  side: Side,
  options: { readonly title?: string; readonly visibility?: string } = {},
): Promise<PublishedSite> {
  const contents = contentsOf(test, side);
  const sites = `/v1/orgs/${side.organizationId}/sites`;
  const change: PublishedSite['change'] = async (method, path, body) => {
    const answer = await contents.call(method, path, body);
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.body;
  };
  const { id, basename } = await change('POST', sites, { title: 'Guides', ...options });
  const site = `${sites}/${id}`;
  await change('POST', `${site}/publish`);
  return {
    contents,
    site,
    basename,
    id,
    change,
    read: (path, headers = {}) =>
      test.call('GET', `/${basename}${path}`, { headers: { ...HTML, ...headers } }),
    async addSpace(title, sectionId) {
      const path = `/v1/orgs/${side.organizationId}/spaces`;
      const { id: spaceId } = await change('POST', path, { title, editMode: 'live' });
      const added = await change('POST', `${site}/site-spaces`, { spaceId, ...(sectionId && { sectionId }) });
      return { space: `/v1/spaces/${spaceId}`, siteSpace: added.id };
    },
  };
}

/** Where a response leads, without the host. */
export const locationOf = (answer: Answer): string =>
  (answer.headers['location'] ?? '').replace(/^https?:\/\/[^/]+/, '');
