import Type, { type TObject } from 'typebox';
import type { Context } from '../../../platform/api/context.ts';
import { on, operation } from '../../../platform/api/operation.ts';
import { presentList } from '../../../platform/api/pagination.ts';
import { idOf, type Resource } from '../../../platform/api/resource.ts';
import { listOf } from '../../../platform/api/schema.ts';
import { integrations } from '../policy.ts';
import { listContentInstallations, type ContentKind } from './content-store.ts';
import { installOn, uninstallFrom, updateOn } from './install-on-content.ts';
import { installations, type ContentInstallationRow } from './policy.ts';
import * as schema from './schema.ts';

type Need = 'view' | 'admin' | 'configure';

type Shown = Record<PropertyKey, unknown>;

interface Kind<Body extends TObject> {
  readonly name: ContentKind;
  /** Of one installation on a space or site. */
  readonly resource: Resource<ContentInstallationRow, Need>;
  readonly param: Readonly<Record<string, ReturnType<typeof idOf>>>;
  readonly body: Body;
  readonly idIn: (body: object) => string;
  readonly response: TObject;
  readonly present: (
    ctx: Context,
    rows: readonly ContentInstallationRow[],
    isExtended: boolean | undefined,
  ) => Promise<Shown[]>;
}

/** Integrations are installed on spaces and on sites in the same way: the same operations under two names. */
export function contentOperations<Body extends TObject>(kind: Kind<Body>) {
  const { name, resource, response } = kind;
  const integrationName = idOf(integrations, 'view');
  const installation = { integrationName, installationId: idOf(installations, 'view') };
  const listPath = `/v1/integrations/{integrationName}/installations/{installationId}/${name}s`;
  const one = {
    path: `${listPath}/{${Object.keys(kind.param)[0]}}`,
    params: Type.Object({ ...installation, ...kind.param }),
    version: (row: ContentInstallationRow) => row.version,
  };
  const reading = { method: 'GET', scope: 'integration:installations:read', status: 200 } as const;
  const writing = { scope: 'integration:installations:write' } as const;
  const presentOne = async (ctx: Context, row: ContentInstallationRow, isExtended?: boolean) => {
    const [shown] = await kind.present(ctx, [row], isExtended);
    return shown as Shown;
  };

  return {
    listOfIntegration: operation({
      ...reading,
      path: `/v1/integrations/{integrationName}/${name}s`,
      summary: `List the ${name}s that an integration is installed on`,
      description: 'For admins of its publisher. Oldest first.',
      params: Type.Object({ integrationName }),
      query: schema.ExternalContentQuery,
      response: listOf(response),
      access: on(integrations)('admin'),
      handle: async ({ ctx, target, query: { externalId, extended }, page }) => {
        const of = { integrationId: target.integration_id };
        const found = await listContentInstallations(ctx.db, ctx.caller.id, name, of, externalId, page);
        const rows = await kind.present(ctx, found.rows, extended);
        return presentList({ ...found, rows }, (item) => item);
      },
    }),
    list: operation({
      ...reading,
      path: listPath,
      summary: `List the ${name}s of an installation`,
      description: `The ${name}s that you may view. Oldest first.`,
      params: Type.Object(installation),
      query: schema.ContentQuery,
      response: listOf(response),
      access: on(installations)('view'),
      handle: async ({ ctx, target, query: { extended }, page }) => {
        const of = { installationId: target.installation_id };
        const found = await listContentInstallations(ctx.db, ctx.caller.id, name, of, undefined, page);
        const rows = await kind.present(ctx, found.rows, extended);
        return presentList({ ...found, rows }, (item) => item);
      },
    }),
    install: operation({
      ...writing,
      method: 'POST',
      path: listPath,
      summary: `Install an integration on a ${name}`,
      params: Type.Object(installation),
      query: schema.ExtendedQuery,
      body: kind.body,
      status: 201,
      response,
      access: on(installations)('view'),
      handle: async ({ ctx, target, body, query: { extended } }) =>
        presentOne(ctx, await installOn(ctx, name, target, kind.idIn(body)), extended),
    }),
    get: operation({
      ...reading,
      ...one,
      summary: `Get an installation on a ${name}`,
      query: schema.ExtendedQuery,
      response,
      access: on(resource)('view'),
      handle: ({ ctx, target, query: { extended } }) => presentOne(ctx, target, extended),
    }),
    update: operation({
      ...writing,
      ...one,
      method: 'PATCH',
      summary: `Update an installation on a ${name}`,
      query: schema.ExtendedQuery,
      body: schema.ContentInstallationPatch,
      status: 200,
      response,
      access: on(resource)('configure'),
      handle: async ({ ctx, target, body, query: { extended } }) =>
        presentOne(ctx, await updateOn(ctx, name, target, body), extended),
    }),
    uninstall: operation({
      ...writing,
      ...one,
      method: 'DELETE',
      summary: `Uninstall an integration from a ${name}`,
      status: 205,
      access: on(resource)('admin'),
      handle: ({ ctx, target }) => uninstallFrom(ctx, name, target),
    }),
  };
}
