import { describe, expect, test } from 'vitest';
import { CONTRACT } from './contract.ts';
import { conformanceTable, provenIn } from './table.ts';

describe('the conformance table', () => {
  const served = new Set(['getSpaceById', 'listOrganizationsForAuthenticatedUser', 'createUserToken']);
  const proven = new Set(['getSpaceById']);
  const client = { operations: 309, served: 7 };
  const table = conformanceTable(served, proven, client);

  test('has a row per operation of the contract', () => {
    expect(table).toContain('| GET | `/v1/spaces/{spaceId}` | `getSpaceById` | yes | yes |');
    expect(table).toContain('| GET | `/v1/orgs` | `listOrganizationsForAuthenticatedUser` | yes | no |');
    expect(table).toContain('| DELETE | `/v1/spaces/{spaceId}` | `deleteSpaceById` | no | no |');
    expect(table.match(/^\| (GET|POST|PUT|PATCH|DELETE) /gm)).toHaveLength(120);
  });

  test('counts operations of the contract only', () => {
    expect(table).toContain('| Spaces | 8 | 1 | 1 |');
    expect(table).toContain('| **Total** | 120 | 2 | 1 |');
  });

  test('states how many operations of the contract and of the client are served', () => {
    expect(table).toMatch(/contract has 120 operations[^.]* 2 of which are served/);
    expect(table).toMatch(/knows 309 operations, of which 7 are served/);
  });

  test('can be parsed', () => {
    expect(provenIn(table)).toEqual(proven);
    const all = new Set(CONTRACT.map(({ operationId }) => operationId));
    expect(provenIn(conformanceTable(all, all, client))).toEqual(all);
    expect(provenIn('')).toEqual(new Set());
  });
});
