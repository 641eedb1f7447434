import { Validator } from '@seriousme/openapi-schema-validator';
import { Type } from 'typebox';
import { describe, expect, test } from 'vitest';
import { describeSchema } from './schemas.ts';
import { openApiDocument } from './document.ts';
import { operationIndex } from '../../../test/operation-index.ts';
import { anyone, on, operation, signedIn, type NamedOperation, type Operation } from '../api/operation.ts';
import { idOf } from '../api/resource.ts';
import { listOf, ListQuery, named, nullable } from '../api/schema.ts';
import { resource, RoleName, RoleOrNull, type Authorised } from '../../domains/access/index.ts';

const teams = resource<Authorised>()({
  name: 'Team',
  key: 'team_id',
  rows: 'select',
  match: 'id = any(:ids)',
  needs: { view: 'guest', admin: 'admin', own: () => true },
});
const mayOnTeam = on(teams);

const Member = named('Member', { id: Type.String(), role: RoleOrNull });
const Team = named('Team', {
  id: Type.String(),
  owner: Type.Optional(Member),
  parent: nullable(Type.String()),
});
const TeamPath = Type.Object({ teamId: idOf(teams, 'view') });
const Tree = Type.Cyclic(
  { Branch: named('Branch', { id: Type.String(), children: Type.Array(Type.Ref('Branch')) }) },
  'Branch',
);

const handle = async () => undefined as never;
const name = (id: string, folder: string, declared: Operation): NamedOperation => ({
  ...declared,
  id,
  folder,
});

const getTeam = name(
  'getTeamById',
  'teams',
  operation({
    method: 'GET',
    path: '/v1/teams/{teamId}',
    summary: 'Get a team',
    scope: 'organization:read',
    params: TeamPath,
    status: 200,
    response: Team,
    access: mayOnTeam('view'),
    version: () => 1,
    handle,
  }),
);
const updateTeam = name(
  'updateTeamById',
  'teams',
  operation({
    method: 'PATCH',
    path: '/v1/teams/{teamId}',
    summary: 'Update a team',
    description: 'Changes what is given.',
    scope: 'organization:write',
    params: TeamPath,
    body: named('TeamPatch', {
      title: Type.Optional(
        Type.String({ default: { title: 'Looks like a schema', properties: {} } as never }),
      ),
      role: Type.Optional(RoleName),
      corner: Type.Optional(Type.Tuple([Type.Number(), Type.Number()])),
    }),
    status: 200,
    response: Team,
    access: mayOnTeam('admin'),
    version: () => 1,
    handle,
  }),
);
const createTeam = name(
  'createTeam',
  'teams',
  operation({
    method: 'POST',
    path: '/v1/teams',
    summary: 'Create a team',
    scope: null,
    body: named('NewTeam', { parent: Type.Optional(idOf(teams, 'admin')) }),
    bodyOptional: true,
    status: 201,
    response: Team,
    access: signedIn,
    handle,
  }),
);
const listTeams = name(
  'listTeams',
  'teams',
  operation({
    method: 'GET',
    path: '/v1/teams',
    summary: 'List teams',
    scope: 'organization:read',
    query: ListQuery,
    status: 200,
    response: listOf(Team),
    access: signedIn,
    handle,
  }),
);
const getInfo = name(
  'getInfo',
  'info',
  operation({
    method: 'GET',
    path: '/v1/',
    summary: 'Version',
    scope: null,
    status: 200,
    response: Tree,
    access: anyone,
    handle,
  }),
);
const deleteTeam = name(
  'deleteTeamById',
  'teams',
  operation({
    method: 'DELETE',
    path: '/v1/teams/{teamId}',
    summary: 'Delete a team',
    scope: 'organization:write',
    params: TeamPath,
    status: 204,
    access: mayOnTeam('own'),
    handle,
  }),
);

const all = [getTeam, updateTeam, createTeam, listTeams, getInfo, deleteTeam];

interface Described {
  readonly description: string;
  readonly parameters?: readonly { $ref?: string; name?: string; required?: boolean; description?: string }[];
  readonly requestBody?: { required: boolean };
  readonly security: readonly object[];
  readonly responses: Record<string, { headers?: object; content?: Record<string, { schema: object }> }>;
}
interface Document {
  readonly paths: Record<string, Record<string, Described>>;
  readonly components: { schemas: Record<string, Record<string, unknown>>; responses: object };
}
const documentOf = (operations: readonly NamedOperation[]): Document => {
  const built = openApiDocument(operations, { version: '1.2.3', url: 'https://docs.example.org' });
  return JSON.parse(JSON.stringify(built)) as Document;
};
const described = (of: NamedOperation): Described => {
  const found = documentOf(all).paths[of.path.replace(/\/$/, '')]?.[of.method.toLowerCase()];
  if (!found) throw new Error(`${of.id} is missing`);
  return found;
};
const parameterNames = (of: NamedOperation) =>
  described(of).parameters?.map((parameter) => parameter.name ?? parameter.$ref?.split('/').at(-1));

describe('openApiDocument', () => {
  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const result = await validator.validate({ ...documentOf(all) });
    expect(result.errors).toBeUndefined();
    expect(result.valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  test('the validator would notice a mistake', async () => {
    const result = await new Validator().validate({ ...documentOf(all), info: {} });
    expect(result.valid).toBe(false);
  });

  test('states the type that a schema implies', () => {
    const typeOf = (schema: object) => describeSchema(schema, new Map())['type'];
    const any = ['string', 'number', 'boolean', 'object', 'array', 'null'];
    expect(typeOf(Type.Unknown({ description: 'Any value' }))).toEqual(any);
    expect(typeOf({ const: 'document' })).toBe('string');
    expect(typeOf({ enum: ['a', 'b'] })).toBe('string');
    expect(typeOf({ enum: ['a', 1] })).toEqual(any);
    expect(typeOf({ required: ['markdown'] })).toBe('object');
    expect(typeOf({ anyOf: [{ type: 'string' }, { type: 'null' }] })).toBeUndefined();
  });

  test('has no path that ends with a slash, and no example that is undefined', () => {
    const body = Type.Object({
      a: Type.Optional(Type.String({ examples: [undefined] })),
      b: Type.String({ examples: ['one', undefined] }),
    });
    const document = documentOf([getInfo, { ...createTeam, body }]);
    expect(Object.keys(document.paths)).toEqual(['/v1', '/v1/teams']);
    expect(JSON.stringify(document)).toContain('"examples":["one"]');
    expect(JSON.stringify(document)).not.toMatch(/"examples":\[[^\]]*null/);
  });

  test('refers to nothing that is not there', () => {
    const document = documentOf(all);
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
      (match) => match[1] ?? '',
    );
    expect(refs.length).toBeGreaterThan(20);
    const find = (ref: string) =>
      ref
        .split('/')
        .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], document);
    expect(refs.filter((ref) => find(ref) === undefined)).toEqual([]);
  });

  test('titled objects become components, once', () => {
    const { schemas } = documentOf(all).components;
    expect(Object.keys(schemas)).toEqual(['Branch', 'Error', 'Member', 'NewTeam', 'Team', 'TeamPatch']);
    expect(schemas['Team']?.['properties']).toMatchObject({ owner: { $ref: '#/components/schemas/Member' } });
  });

  test('two different schemas of one title are refused', () => {
    const other = { ...listTeams, response: named('Team', { other: Type.String() }) };
    expect(() => documentOf([getTeam, other])).toThrow(/two schemas are titled "Team"/);
  });

  test('an operation that is there twice is refused', () => {
    expect(() => documentOf([getTeam, { ...getTeam, path: '/v1/other/{teamId}' }])).toThrow(
      /getTeamById .* twice/,
    );
    expect(() => documentOf([getTeam, { ...getTeam, id: 'other' }])).toThrow(/other .* twice/);
  });

  test('params that the path does not have are refused', () => {
    expect(() => documentOf([{ ...getTeam, path: '/v1/teams/{id}' }])).toThrow(
      /getTeamById declares the params/,
    );
  });

  test('recursive schemas, tuples and enums are JSON Schema 2020-12; data is left alone', () => {
    const { schemas } = documentOf(all).components;
    expect(schemas['Branch']).toEqual({
      type: 'object',
      title: 'Branch',
      required: ['id', 'children'],
      properties: {
        id: { type: 'string' },
        children: { type: 'array', items: { $ref: '#/components/schemas/Branch' } },
      },
    });
    const properties = schemas['TeamPatch']?.['properties'] as Record<string, object>;
    expect(properties['corner']).toMatchObject({
      prefixItems: [{ type: 'number' }, { type: 'number' }],
      items: false,
    });
    expect(properties['role']).toMatchObject({ type: 'string', enum: expect.arrayContaining(['read']) });
    expect(properties['title']).toEqual({
      type: 'string',
      default: { title: 'Looks like a schema', properties: {} },
    });
  });

  test('parameters and headers follow from the declaration', () => {
    expect(parameterNames(getTeam)).toEqual(['teamId', 'IfNoneMatch']);
    expect(parameterNames(updateTeam)).toEqual(['teamId', 'IfMatch']);
    expect(parameterNames(createTeam)).toEqual(['IdempotencyKey']);
    expect(parameterNames(listTeams)).toEqual(['page', 'limit']);
    expect(parameterNames(getInfo)).toBeUndefined();
    expect(described(getTeam).parameters?.[0]).toMatchObject({ required: true, description: 'Team id' });
    expect(described(listTeams).parameters?.[0]).toMatchObject({ required: false });
    expect(described(createTeam).requestBody?.required).toBe(false);
    expect(described(updateTeam).requestBody?.required).toBe(true);
  });

  test('responses follow from the declaration', () => {
    const statuses = (of: NamedOperation) => Object.keys(described(of).responses).map(Number);
    expect(statuses(getTeam)).toEqual([200, 304, 400, 401, 403, 404, 429, 503]);
    expect(statuses(updateTeam)).toEqual([200, 400, 401, 403, 404, 409, 412, 413, 415, 429, 503, 507]);
    expect(statuses(createTeam)).toEqual([201, 400, 401, 403, 404, 409, 413, 415, 422, 429, 503, 507]);
    expect(statuses(listTeams)).toEqual([200, 400, 401, 403, 413, 429, 503]);
    expect(statuses(getInfo)).toEqual([200, 429, 503]);
    expect(statuses(deleteTeam)).toEqual([204, 400, 401, 403, 404, 409, 429, 503, 507]);
    expect(described(createTeam).responses['201']?.headers).toHaveProperty('Location');
    expect(described(getTeam).responses['200']?.headers).toHaveProperty('ETag');
    expect(described(deleteTeam).responses['204']).not.toHaveProperty('content');
  });

  test('says who may call', () => {
    expect(described(updateTeam).description).toBe(
      'Changes what is given.\n\nRequires the permission `admin` on the team (role `admin` or higher). A scoped token needs the scope `organization:write`.',
    );
    expect(described(updateTeam).security).toEqual([{ bearer: [] }]);
    expect(described(getInfo)).toMatchObject({ security: [], description: 'No authentication required.' });
  });
});

test('operationIndex lists operations by path', () => {
  const lines = operationIndex(all).split('\n');
  expect(lines.find((line) => line.startsWith('6 operations.'))).toBeDefined();
  expect(lines.slice(-7, -1)).toEqual([
    '| GET | `/v1/` | `getInfo` | `info` |  | anyone |  |',
    '| GET | `/v1/teams` | `listTeams` | `teams` | `organization:read` | signed in |  |',
    '| POST | `/v1/teams` | `createTeam` | `teams` | full rights | signed in |  |',
    '| GET | `/v1/teams/{teamId}` | `getTeamById` | `teams` | `organization:read` | Team: view | guest |',
    '| PATCH | `/v1/teams/{teamId}` | `updateTeamById` | `teams` | `organization:write` | Team: admin | admin |',
    '| DELETE | `/v1/teams/{teamId}` | `deleteTeamById` | `teams` | `organization:write` | Team: own | own |',
  ]);
});
