import { readOne, type Row } from '../row.ts';

export const organizationRows: readonly Row[] = [
  ...readOne('get organization', async (api) => ({ path: `/v1/orgs/${await api.createOrganization()}` })),
];
