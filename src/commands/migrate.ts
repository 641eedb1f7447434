import { onInstallation } from './administer.ts';
import type { Command } from './command.ts';

export const migrate: Command = {
  name: 'migrate',
  summary:
    'Bring the database to the version of this program, or create it. Servers do it at their start as well.',
  options: {},
  async run(_given, output) {
    await onInstallation(async () => undefined, { creates: true });
    output.result({ migrated: true }, 'The database is up to date.');
  },
};
