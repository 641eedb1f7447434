import type { Api } from '../api.ts';
import type { RequestSpec, Row } from '../row.ts';

async function fiftyTeams(api: Api): Promise<RequestSpec> {
  const path = `/v1/orgs/${await api.createOrganization()}/teams`;
  for (let n = 1; n <= 50; n++) await api.send({ method: 'PUT', path, body: { title: `Team ${n}` } });
  return { path };
}

export const teamRows: readonly Row[] = [
  { name: 'list 50 teams', cache: 'on', setup: fiftyTeams },
  { name: 'list 50 teams', cache: 'off', setup: fiftyTeams },
  {
    name: 'list 50 teams, gzip',
    setup: async (api) => ({ ...(await fiftyTeams(api)), headers: { 'accept-encoding': 'gzip' } }),
  },
  {
    name: 'create team',
    target: { perSecond: 1000 },
    setup: async (api) => {
      const path = `/v1/orgs/${await api.createOrganization()}/teams`;
      return (n) => ({ method: 'PUT', path, body: { title: `Team ${n}` } });
    },
  },
];
