import { expect } from 'vitest';
import type { Answer, TestApp } from './app.ts';
import type { Side } from './world.ts';

/** Spaces and their content, created as an admin. */
export interface Contents {
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** The body of the response, which must be successful. */
  get(path: string): Promise<Answer['body']>;
  /** The path of a new space. */
  aSpace(editMode?: string): Promise<string>;
  send(space: string, changes: readonly object[], headers?: Record<string, string>): Promise<Answer>;
  edit(space: string, ...changes: object[]): Promise<Answer['body']>;
  page(space: string, id: string, query?: string): Promise<Answer['body']>;
  pages(space: string): Promise<Answer['body'][]>;
}

export function contentsOf(app: TestApp, side: Side): Contents {
  const call: Contents['call'] = (method, path, body, headers = {}) =>
    app.call(method, path, { token: side.admin.token, headers, ...(body === undefined ? {} : { body }) });
  const get: Contents['get'] = async (path) => {
    const answer = await call('GET', path);
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };
  const send: Contents['send'] = (space, changes, headers = {}) =>
    call('POST', `${space}/content`, { changes }, headers);
  return {
    call,
    get,
    send,
    async aSpace(editMode = 'live') {
      const path = `/v1/orgs/${side.organizationId}/spaces`;
      return `/v1/spaces/${(await call('POST', path, { title: 'Guide', editMode })).body.id}`;
    },
    async edit(space, ...changes) {
      const answer = await send(space, changes);
      expect(answer.status, answer.text).toBe(200);
      return answer.body;
    },
    page: (space, id, query = '') => get(`${space}/content/page/${id}${query}`),
    pages: async (space) => (await get(`${space}/content/pages`)).pages,
  };
}

/** A change that inserts a page. */
export const insert = (title: string, markdown = '', more: object = {}) => ({
  operation: 'insert_page',
  title,
  document: { markdown },
  ...more,
});

/** The ids of the pages of a batch. */
export const idsOf = (edited: Answer['body']): string[] =>
  edited.changes.map((each: Answer['body']) => each.page.id);
