import type { TSchema } from 'typebox';
import { inject } from 'vitest';
import { ENTRY, type EntryKind } from '../src/domains/revisions/schema.ts';
import { REFERENCE, type Reference, type Resource } from '../src/platform/api/resource.ts';
import { newId } from '../src/platform/api/ids.ts';
import type { NamedOperation } from '../src/platform/api/operation.ts';
import type { TestApp } from './app.ts';
import { anEntry } from './builders/entries.ts';
import { builderOf } from './builders/index.ts';
import { anotherOrganization } from './builders/people.ts';
import { aPublishedUrl, aSpaceUrl } from './builders/sites.ts';
import { type Person, type Side } from './world.ts';

export interface Sample {
  readonly method: string;
  readonly url: string;
  /** With required query parameters only. Ends so that a parameter can be appended. */
  readonly bareUrl: string;
  readonly body: unknown;
  /** The caller it is valid for: the admin of the side, unless its target belongs to another user. */
  readonly token: string;
  /** The place of each id in it, so that a test can replace one. */
  readonly ids: readonly SampleId[];
  /** The same for entries of a revision. */
  readonly entries: readonly Omit<SampleId, 'reference'>[];
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
}

export interface SampleId {
  readonly place: 'path' | 'query' | 'body';
  readonly path: string;
  readonly reference: Reference;
  readonly id: string;
}

interface Node {
  readonly [REFERENCE]?: Reference;
  readonly [ENTRY]?: EntryKind;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly properties?: Record<string, Node>;
  readonly propertyNames?: Node;
  readonly additionalProperties?: Node;
  readonly items?: Node;
  readonly minItems?: number;
  readonly anyOf?: readonly Node[];
  readonly not?: Node;
}

export interface SampleOptions {
  /** The index of the form of the body to use, if there are several. */
  readonly form?: number;
  /** With ids also where `examples` omits them; it may then be refused for its values, but not for its ids. */
  readonly everyId?: boolean;
}

/**
 * A request that an operation should accept, derived from its declaration: ids refer to new resources, the rest comes
 * from the schemas. `examples` of a schema supply values that its type does not determine.
 */
export async function sampleOf(
  test: TestApp,
  operation: NamedOperation,
  side: Side,
  caller: Person = side.admin,
  { form = 0, everyId = false }: SampleOptions = {},
): Promise<Sample> {
  const ids: SampleId[] = [];
  const entries: Omit<SampleId, 'reference'>[] = [];
  const builtSoFar = new Map<Resource, string>();
  let token = caller.token;

  async function build(reference: Reference, place: SampleId['place'], path: string): Promise<string> {
    const builder = reference.crossTenant ? anotherOrganization : builderOf(reference.resource);
    if (!builder) throw new Error(`test/builders has none for ${reference.resource.name}`);
    const built = await builder(test, side, caller, builtSoFar);
    builtSoFar.set(reference.resource, built.id);
    token = built.caller ?? token;
    ids.push({ place, path, reference, id: built.id });
    return built.id;
  }

  async function value(schema: Node, place: SampleId['place'], path: string): Promise<unknown> {
    const reference = schema[REFERENCE];
    if (reference) return build(reference, place, path);
    const entry = schema[ENTRY];
    if (entry) {
      const id = await anEntry(test, side, entry, builtSoFar);
      entries.push({ place, path, id });
      return id;
    }
    if (schema.examples && !(everyId && holdsIds(schema))) return schema.examples[0];
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return schema.enum[0];
    if (schema.anyOf) return value(formsOf(schema)[form] ?? formsOf(schema)[0] ?? {}, place, path);
    switch (schema.type) {
      case 'object':
        return objectOf(schema, place, path);
      case 'array':
        return schema.items ? [await value(schema.items, place, `${path}.0`)] : [];
      case 'boolean':
        return true;
      case 'integer':
      case 'number':
        return schema.minimum ?? 1;
      default:
        return text(schema);
    }
  }

  async function objectOf(
    schema: Node,
    place: SampleId['place'],
    path: string,
  ): Promise<Record<string, unknown>> {
    const result: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(schema.properties ?? {})) {
      // A member that this form must not have.
      if (member.not) continue;
      const given = await value(member, place, path ? `${path}.${name}` : name);
      if (given !== undefined) result[name] = given;
    }
    if (schema.propertyNames && schema.additionalProperties) {
      const key = String(await value(schema.propertyNames, place, `${path}.*`));
      result[key] = await value(schema.additionalProperties, place, `${path}.${key}`);
    }
    return result;
  }

  const params = (await objectOf((operation.params ?? {}) as Node, 'path', '')) as Record<string, string>;
  const chosen = await objectOf(withoutPaging(operation.query), 'query', '');
  const generated = operation.body ? await value(operation.body as Node, 'body', '') : undefined;
  const url = await resolvableUrl(test, operation, side, params['siteId']);
  const withUrl = <T>(sent: T): T =>
    url !== undefined && typeof sent === 'object' && sent !== null && 'url' in sent ? { ...sent, url } : sent;
  const query = withUrl(chosen);
  const body = operation.folder === 'imports' ? await importable(test, generated) : withUrl(generated);
  if (operation.folder === 'git-sync') await connectRepository(test, params['spaceId'] ?? '');
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_match, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const { required = [] } = (operation.query ?? {}) as { required?: readonly string[] };
  const needed = Object.fromEntries(Object.entries(query).filter(([name]) => required.includes(name)));
  const bareUrl = required.length > 0 ? `${path}${search(needed)}&` : `${path}?`;
  return {
    method: operation.method,
    url: path + search(query),
    bareUrl,
    body,
    token,
    ids,
    entries,
    params,
    query,
  };
}

/** A URL that leads to something, or that may be called; the site of the path, if there is one, is published. */
async function resolvableUrl(
  test: TestApp,
  { folder, id }: NamedOperation,
  side: Side,
  siteId: string | undefined,
): Promise<string | undefined> {
  if (folder === 'webhooks') return `http://${inject('source')}/hook`;
  if (folder !== 'published-content') return undefined;
  return id === 'getContentByUrl' ? aSpaceUrl(test, side) : aPublishedUrl(test, side, siteId);
}

/** Reading and deleting a connected repository needs one. */
async function connectRepository(test: TestApp, spaceId: string): Promise<void> {
  const url = 'https://git.example.com/acme/docs.git';
  await test.sql(`update spaces set git_sync = $2 where id = $1`, [spaceId, { url }]);
  await test.sql(
    `insert into git_connections (space_id, url, ref, directory, direction, pull_requests, nonce)
     values ($1, $2, 'refs/heads/main', '', 'both', false, 'nonce') on conflict do nothing`,
    [spaceId, url],
  );
}

/** An import needs a source that answers, and an organization has few unfinished runs. */
async function importable(test: TestApp, body: unknown): Promise<unknown> {
  if (typeof body !== 'object' || body === null) return body;
  if ('url' in body) return { ...body, url: `http://${inject('source')}/page.md`, source: 'markdown' };
  await test.sql(
    `update import_runs set status = 'cancelled', completed_at = now() where status = 'pending'`,
  );
  return body;
}

/** The number of forms of a body that differ in their ids. */
export function formsWithIds({ body }: NamedOperation): number {
  const count = (node: Node): number =>
    Math.max(
      1,
      holdsIds(node) ? formsOf(node).length : 0,
      ...[...Object.values(node.properties ?? {}), ...(node.anyOf ?? [])].map(count),
    );
  return body ? count(body as Node) : 1;
}

const formsOf = (schema: Node) => (schema.anyOf ?? []).filter((each) => each.type !== 'null');

const holdsIds = (schema: Node): boolean =>
  schema[REFERENCE] !== undefined ||
  [
    ...Object.values(schema.properties ?? {}),
    ...(schema.anyOf ?? []),
    ...(schema.items ? [schema.items] : []),
    ...(schema.propertyNames ? [schema.propertyNames] : []),
  ].some(holdsIds);

/** A list has both of these parameters. */
export const isPaged = ({ query }: NamedOperation): boolean =>
  query !== undefined && 'page' in query.properties && 'limit' in query.properties;

/** All items of a list, from its beginning. */
function withoutPaging(schema: TSchema | undefined): Node {
  const { page: _page, limit: _limit, ...properties } = ((schema ?? {}) as Node).properties ?? {};
  return { properties };
}

function search(query: Record<string, unknown>): string {
  const pairs = Object.entries(query).flatMap(([name, given]) =>
    (Array.isArray(given) ? given : [given]).map((each) => `${name}=${encodeURIComponent(String(each))}`),
  );
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}

function text(schema: Node): string {
  switch (schema.format) {
    case 'email':
      return 'sample@sample.example';
    case 'uri':
      return 'https://sample.example/';
    case 'date-time':
      return new Date(Date.now() + 86_400_000).toISOString();
    default:
      // A slug is the name of one resource.
      return schema.pattern?.startsWith('^[a-z0-9]+(')
        ? `sample-${newId().toLowerCase()}`
        : 'sample'.padEnd(schema.minLength ?? 0, '-');
  }
}
