import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { shapeOf } from './contract.ts';

/** The parts of an OpenAPI 3.0.3 document that the tests read. */
export interface Spec {
  readonly paths: Readonly<Record<string, Readonly<Record<string, SpecOperation>>>>;
  readonly components: { readonly schemas: Record<string, SpecSchema> };
}

export interface SpecOperation {
  readonly operationId: string;
  readonly parameters?: readonly (SpecParameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly required?: boolean };
  readonly responses: Readonly<Record<string, SpecResponse>>;
}

export interface SpecParameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
}

export interface SpecResponse {
  readonly content?: Readonly<Record<string, { readonly schema?: SpecSchema }>>;
}

export type SpecSchema = { readonly [keyword: string]: unknown };

export interface SpecRoute extends SpecOperation {
  readonly method: string;
  readonly path: string;
}

/** `gitbook-api-newest` is the same package in its newest version. */
export const readSpec = (of: '@gitbook/api' | 'gitbook-api-newest' = '@gitbook/api'): Spec =>
  JSON.parse(readFileSync(createRequire(import.meta.url).resolve(`${of}/spec/openapi.json`), 'utf8')) as Spec;

export const spec: Spec = readSpec();

/** Every operation of a version of the public client. */
export const routesOf = ({ paths }: Spec): readonly SpecRoute[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) =>
      Object.assign({ method: method.toUpperCase(), path: `/v1${path}` }, operation),
    ),
  );

export const routes: readonly SpecRoute[] = routesOf(spec);

const byId = new Map(routes.map((route) => [route.operationId, route]));
const byShape = new Map(routes.map((route) => [`${route.method} ${shapeOf(route.path)}`, route]));

export const routeOf = (operationId: string): SpecRoute | undefined => byId.get(operationId);

export const routeAt = (method: string, path: string): SpecRoute | undefined =>
  byShape.get(`${method} ${shapeOf(path)}`);

/** Resolves a local reference, `#/components/…`. */
export function resolve<T extends object>(node: T | { readonly $ref: string }): T {
  if (!('$ref' in node)) return node;
  let found: unknown = spec;
  for (const step of node.$ref.split('/').slice(1)) found = (found as Record<string, unknown>)[step];
  return found as T;
}
