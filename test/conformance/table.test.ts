import { describe, expect, test } from 'vitest';
import { CONTRACT } from './contract.ts';
import { conformanceTable, provenIn } from './table.ts';

describe('the conformance table', () => {
  const served = new Set(['getSpaceById', 'listOrganizationsForAuthenticatedUser', 'createUserToken']);
  const proven = new Set(['getSpaceById']);
  const table = conformanceTable(served, proven);

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

  test('can be read back', () => {
    expect(provenIn(table)).toEqual(proven);
    const all = new Set(CONTRACT.map(({ operationId }) => operationId));
    expect(provenIn(conformanceTable(all, all))).toEqual(all);
    expect(provenIn('')).toEqual(new Set());
  });
});
