import { onInstallation } from './administer.ts';
import type { Command } from './command.ts';

export const migrate: Command = {
  name: 'migrate',
  summary: 'Create the database or migrate it to this version, as serve and worker do at start.',
  options: {},
  async run(_given, output) {
    await onInstallation(async () => undefined, { creates: true });
    output.result({ migrated: true }, 'The database is up to date.');
  },
};
