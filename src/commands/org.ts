import { createOrganizationWithAdmin } from '../domains/members/index.ts';
import { listAllOrganizations } from '../domains/organizations/index.ts';
import { readConfig } from '../config.ts';
import { administer } from './administer.ts';
import { namedUser } from './named-user.ts';
import { CommandError, type Command } from './command.ts';
import { table } from './table.ts';

export const createOrg: Command = {
  name: 'org create',
  summary: 'Create an organization. Prints its id.',
  options: {
    title: 'title of the organization',
    admin: 'e-mail or id of the first admin (default: the administrator)',
  },
  required: ['title'],
  async run({ title = '', admin }, output) {
    if (title.length < 2 || title.length > 255)
      throw new CommandError('The title must have 2 to 255 characters.');
    const first = admin ?? readConfig().adminEmail;
    const id = await administer(async (db) => {
      const user = await namedUser(db, first);
      return createOrganizationWithAdmin(db, { title }, user.id);
    });
    output.result({ id, title }, id);
  },
};

export const listOrgs: Command = {
  name: 'org list',
  summary: 'List all organizations.',
  options: {},
  async run(_given, output) {
    const rows = await administer(listAllOrganizations);
    output.result(
      rows,
      table(
        ['id', 'title', 'members'],
        rows.map((row) => [row.id, row.title, String(row.members)]),
      ),
    );
  },
};
