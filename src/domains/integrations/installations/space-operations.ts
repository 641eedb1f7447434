import { readRows } from '../../../platform/access/read-rows.ts';
import { idOf } from '../../../platform/api/resource.ts';
import { presentSpace, spaces } from '../../spaces/index.ts';
import { contentOperations } from './operations-on-content.ts';
import { spaceInstallations } from './policy.ts';
import { presentContentInstallation } from './present.ts';
import * as schema from './schema.ts';

const onSpaces = contentOperations({
  name: 'space',
  resource: spaceInstallations,
  param: { spaceId: idOf(spaceInstallations, 'view') },
  body: schema.NewSpaceInstallation,
  idIn: (body) => (body as { readonly space: string }).space,
  response: schema.SpaceInstallation,
  async present(ctx, rows, isExtended) {
    const viewable = isExtended
      ? await readRows(
          ctx,
          spaces,
          rows.map((row) => row.content_id),
        )
      : new Map();
    return rows.map((row) => {
      const space = viewable.get(row.content_id);
      return {
        ...presentContentInstallation(ctx, 'space', row),
        space: space ? presentSpace(space, ctx.caller.id, ctx.addresses) : row.content_id,
      };
    });
  },
});

export const listIntegrationSpaceInstallations = onSpaces.listOfIntegration;
export const listIntegrationInstallationSpaces = onSpaces.list;
export const installIntegrationOnSpace = onSpaces.install;
export const getIntegrationSpaceInstallation = onSpaces.get;
export const updateIntegrationSpaceInstallation = onSpaces.update;
export const uninstallIntegrationFromSpace = onSpaces.uninstall;
