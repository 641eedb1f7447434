export { countSpacesOfTeams } from './count-store.ts';
export { teams, type TeamRow } from './policy.ts';
export { presentTeam } from './present.ts';
export { Team } from './schema.ts';
