import type { GitBookAPI } from '@gitbook/api';
import { CONTRACT } from './contract.ts';
import { resolve, routeOf, type SpecParameter, type SpecRoute } from './spec.ts';

export interface ClientCall {
  /** By operation id of the contract; for operations outside it, by that of the public schema. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface ClientAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Null where the client reads no body. */
  readonly data: unknown;
}

type ClientMethod = (...args: unknown[]) => Promise<ClientAnswer>;

/** Calls an operation as a user of the public client would. A failure throws the client's own `GitBookAPIError`. */
export function callWithClient(
  api: GitBookAPI,
  operationId: string,
  call: ClientCall = {},
): Promise<ClientAnswer> {
  const route = routeOf(operationId);
  if (!route) throw new Error(`${operationId} is no operation of the public schema`);
  const args = [...paramsOf(route, call), ...inputsOf(route, call), { headers: call.headers ?? {} }];
  return methodOf(api, operationId)(...args);
}

/** The generator changes case (`getChangeRequestPDF` is `getChangeRequestPdf`), so names are compared without it. */
function methodOf(api: GitBookAPI, operationId: string): ClientMethod {
  const wanted = operationId.toLowerCase();
  const groups = [api, ...Object.values(api)].filter((group) => typeof group === 'object' && group !== null);
  for (const group of groups) {
    for (const [name, member] of Object.entries(group as object)) {
      if (typeof member === 'function' && name.toLowerCase() === wanted) return member as ClientMethod;
    }
  }
  throw new Error(`the client has no method ${operationId}`);
}

function paramsOf(route: SpecRoute, { params = {} }: ClientCall): string[] {
  const { path } = CONTRACT.find(({ operationId }) => operationId === route.operationId) ?? route;
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    const value = params[name];
    if (value === undefined) throw new Error(`${route.operationId}: no value for {${name}} of ${path}`);
    return value;
  });
}

/** Body before query, but required inputs before optional ones: the parameter order of the generated client. */
function inputsOf(route: SpecRoute, call: ClientCall): unknown[] {
  const query = (route.parameters ?? [])
    .map((parameter) => resolve<SpecParameter>(parameter))
    .filter(isQuery);
  if (call.body !== undefined && !route.requestBody) throw new Error(`${route.operationId} takes no body`);
  if (call.query !== undefined && query.length === 0) throw new Error(`${route.operationId} takes no query`);
  const inputs = [
    ...(route.requestBody ? [{ value: call.body, required: route.requestBody.required === true }] : []),
    ...(query.length > 0 ? [{ value: call.query, required: query.some(({ required }) => required) }] : []),
  ];
  return inputs.toSorted((a, b) => Number(b.required) - Number(a.required)).map(({ value }) => value);
}

const isQuery = (parameter: SpecParameter): boolean => parameter.in === 'query';
