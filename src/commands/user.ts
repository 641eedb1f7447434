import { insertMember } from '../domains/members/index.ts';
import { organizationExists } from '../domains/organizations/index.ts';
import { findProvenUser, insertUser, listAllUsers, proveEmail, setDisabled } from '../domains/users/index.ts';
import { ROLES, type Role } from '../domains/access/index.ts';
import { administer } from './administer.ts';
import { CommandError, UsageError, type Command, type Output } from './command.ts';
import { namedUser } from './named-user.ts';
import { table } from './table.ts';

export const createUser: Command = {
  name: 'user create',
  summary: 'Create a user and add them to an organization. Prints the user id.',
  options: {
    email: 'e-mail address, considered verified',
    name: 'display name',
    org: 'id of an organization to join',
    role: `role in the organization: ${ROLES.join(', ')} or guest (default: read)`,
  },
  required: ['email', 'name'],
  async run({ email = '', name = '', org, role }, output) {
    if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw new CommandError(`"${email}" is not an e-mail address.`);
    if (name.length > 64) throw new CommandError('The name must have at most 64 characters.');
    if (role && !org) throw new UsageError('--role requires --org.');
    const id = await administer(async (db) => {
      const userId = await insertUser(db, { email, displayName: name, isProven: true });
      if (!userId) throw new CommandError(`A user with the verified address ${email} already exists.`);
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
    throw new UsageError(`"${given}" is not a role. Roles: ${ROLES.join(', ')} or guest.`);
  return given as Role;
}

export const proveUser: Command = {
  name: 'user prove',
  summary: 'Mark the e-mail address of a user as verified, if you know that it belongs to them.',
  options: {},
  arguments: ['id'],
  async run({ id = '' }, output) {
    const email = await administer(async (db) => {
      const user = await namedUser(db, id);
      const owner = await findProvenUser(db, user.email);
      if (owner && owner.id !== user.id)
        throw new CommandError(
          `The address ${user.email} is already verified for user ${owner.id}. An address belongs to one user.`,
        );
      await proveEmail(db, user.id);
      return user.email;
    });
    output.result({ id, email }, `${email} is verified.`);
  },
};

export const disableUser: Command = {
  name: 'user disable',
  summary:
    'Refuse the tokens of a user. Running servers refuse them within a second. Content and roles remain.',
  options: {},
  arguments: ['user'],
  run: ({ user = '' }, output) => setDisabledByName(user, true, output),
};

export const enableUser: Command = {
  name: 'user enable',
  summary: 'Accept the tokens of a disabled user again.',
  options: {},
  arguments: ['user'],
  run: ({ user = '' }, output) => setDisabledByName(user, false, output),
};

async function setDisabledByName(name: string, isDisabled: boolean, output: Output): Promise<void> {
  const { id, email } = await administer(async (db) => {
    const user = await namedUser(db, name);
    await setDisabled(db, user.id, isDisabled);
    return user;
  });
  output.result({ id, email, disabled: isDisabled }, `${email} is ${isDisabled ? 'disabled' : 'enabled'}.`);
}

export const listUsers: Command = {
  name: 'user list',
  summary: 'List all users.',
  options: {},
  async run(_given, output) {
    const rows = await administer(listAllUsers);
    output.result(
      rows,
      table(
        ['id', 'email', 'verified', 'disabled', 'name'],
        rows.map((row) => [
          row.id,
          row.email,
          row.proven ? 'yes' : 'no',
          row.disabled ? 'yes' : 'no',
          row.name,
        ]),
      ),
    );
  },
};
