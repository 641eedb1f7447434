import type { Resource } from '../../src/platform/api/resource.ts';
import type { Answer, Call, TestApp } from '../app.ts';
import type { Person, Side } from '../world.ts';

/** A new resource for an id to refer to, and its caller if not every admin may use it. */
export interface Built {
  readonly id: string;
  readonly caller?: string;
}

/** `around` contains the resources that were built for the same request so far: a team member needs the team. */
export type Builder = (
  test: TestApp,
  side: Side,
  caller: Person,
  builtSoFar: ReadonlyMap<Resource, string>,
) => Promise<Built>;

export async function created(call: Promise<Answer>): Promise<Built> {
  const { status, body, text } = await call;
  if (status >= 300) throw new Error(`a builder was refused: ${status} ${text}`);
  return { id: body.id };
}

export const post = (test: TestApp, side: Side, path: string, call: Call, method = 'POST') =>
  created(test.call(method, `/v1/orgs/${side.organizationId}${path}`, { token: side.admin.token, ...call }));
