import { sql } from 'kysely';
import type { Database } from '../../platform/database/connection.ts';
import { HELD_SPACES } from '../access/index.ts';
import type { Counted } from '../members/index.ts';
import type { TeamRow } from './policy.ts';

/** Teams of one organization with the numbers of the spaces that are shared with them. */
export async function countSpacesOfTeams<Row extends TeamRow>(
  db: Database,
  rows: readonly Row[],
): Promise<Counted<Row>[]> {
  const [first] = rows;
  if (!first) return [];
  const counts = await sql<{ team_id: string; spaces: number }>`
    with granted as materialized (
      select g.team_id as holder_id, g.collection_id, g.space_id from grants g
      where g.organization_id = ${first.organization_id} and g.site_id is null
        and g.team_id = any(${rows.map((row) => row.team_id)})
    ), ${sql.raw(HELD_SPACES)}
    select holder_id as team_id, spaces::int as spaces from held`.execute(db);
  const byTeam = new Map(counts.rows.map(({ team_id: teamId, spaces }) => [teamId, spaces]));
  return rows.map((row) => ({ ...row, spaces: byTeam.get(row.team_id) ?? 0 }));
}
