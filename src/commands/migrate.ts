import { administer } from './administer.ts';
import type { Command } from './command.ts';

export const migrate: Command = {
  name: 'migrate',
  summary: 'Bring the database to the version of this program. Servers do it at their start as well.',
  options: {},
  async run(_given, output) {
    await administer(async () => undefined);
    output.result({ migrated: true }, 'The database is up to date.');
  },
};
