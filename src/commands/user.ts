import { insertMember } from '../domains/members/index.ts';
import { organizationExists } from '../domains/organizations/index.ts';
import { findProvenUser, insertUser, listAllUsers, proveEmail } from '../domains/users/index.ts';
import { ROLES, type Role } from '../domains/access/index.ts';
import { administer } from './administer.ts';
import { CommandError, UsageError, type Command } from './command.ts';
import { namedUser } from './named-user.ts';
import { table } from './table.ts';

export const createUser: Command = {
  name: 'user create',
  summary: 'Create a user, and add them to an organization. Prints their id.',
  options: {
    email: 'their e-mail address, taken as proven',
    name: 'their name',
    org: 'id of an organization to add them to',
    role: `their role in it: ${ROLES.join(', ')} or guest (default: read)`,
  },
  required: ['email', 'name'],
  async run({ email = '', name = '', org, role }, output) {
    if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new CommandError(`"${email}" is no e-mail address.`);
    if (name.length > 64) throw new CommandError('A name has at most 64 characters.');
    if (role && !org) throw new UsageError('--role needs --org.');
    const id = await administer(async (db) => {
      const userId = await insertUser(db, { email, displayName: name, isProven: true });
      if (!userId) throw new CommandError(`There is a user ${email} already.`);
      if (org) {
        if (!(await organizationExists(db, org))) throw new CommandError(`There is no organization ${org}.`);
        await insertMember(db, { organizationId: org, userId, role: roleOf(role) });
      }
      return userId;
    });
    output.result({ id, email, name }, id);
  },
};

function roleOf(given = 'read'): Role | null {
  if (given === 'guest') return null;
  if (!ROLES.includes(given as Role))
    throw new UsageError(`"${given}" is no role: ${ROLES.join(', ')} or guest.`);
  return given as Role;
}

export const proveUser: Command = {
  name: 'user prove',
  summary: 'Take the e-mail address of a user as proven: you know that the account is that of its owner.',
  options: {},
  arguments: ['id'],
  async run({ id = '' }, output) {
    const email = await administer(async (db) => {
      const user = await namedUser(db, id);
      const owner = await findProvenUser(db, user.email);
      if (owner && owner.id !== user.id)
        throw new CommandError(
          `The user ${owner.id} has proven ${user.email}: an address is that of one user.`,
        );
      await proveEmail(db, user.id);
      return user.email;
    });
    output.result({ id, email }, `${email} is proven.`);
  },
};

export const listUsers: Command = {
  name: 'user list',
  summary: 'List all users.',
  options: {},
  async run(_given, output) {
    const rows = await administer(listAllUsers);
    output.result(
      rows,
      table(
        ['id', 'email', 'proven', 'name'],
        rows.map((row) => [row.id, row.email, row.proven ? 'yes' : 'no', row.name]),
      ),
    );
  },
};
