import { describe, expect, test } from 'vitest';
import { CONTRACT, contractOperation, shapeOf } from './contract.ts';
import { routeOf } from './spec.ts';

describe('the contract', () => {
  test('has 120 operations, without duplicate routes or ids', () => {
    expect(CONTRACT).toHaveLength(120);
    expect(new Set(CONTRACT.map(({ method, path }) => `${method} ${shapeOf(path)}`)).size).toBe(120);
    expect(new Set(CONTRACT.map(({ operationId }) => operationId)).size).toBe(120);
  });

  test.each(CONTRACT)(
    '$operationId is $method $path in the public schema, which lists status $status',
    (operation) => {
      const route = routeOf(operation.operationId);
      expect(route?.method).toBe(operation.method);
      expect(shapeOf(route?.path ?? '')).toBe(shapeOf(operation.path));
      expect(Object.keys(route?.responses ?? {})).toContain(String(operation.status));
    },
  );

  test('is found by route, whatever the names of its parameters', () => {
    expect(contractOperation('GET', '/v1/email-domains/{domain}/orgs')?.operationId).toBe(
      'getOrganizationsForEmailDomain',
    );
    expect(contractOperation('GET', '/v1/nothing')).toBeUndefined();
  });
});
