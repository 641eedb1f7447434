import { findUser } from '../domains/users/index.ts';
import type { Database } from '../platform/database/connection.ts';
import { CommandError } from './command.ts';

/**
 * The user that a command names by id or by e-mail. Only proven addresses count: the owner of an address must not be
 * given access through an account of another person who claims it.
 */
export async function namedUser(db: Database, idOrEmail: string) {
  const user = await findUser(db, idOrEmail);
  if (user) return user;
  const kind = idOrEmail.includes('@') ? 'with the verified address' : 'with the id';
  throw new CommandError(
    `There is no user ${kind} ${idOrEmail}. \`octavo user list\` lists all users; \`octavo user create\` creates one.`,
  );
}
