import { findUser } from '../domains/users/index.ts';
import type { Database } from '../platform/database/connection.ts';
import { CommandError } from './command.ts';

/**
 * The user whom a command names by id or by e-mail. An address that an account only claims names nobody: its owner would
 * be given the account of somebody else.
 */
export async function namedUser(db: Database, idOrEmail: string) {
  const user = await findUser(db, idOrEmail);
  if (user) return user;
  throw new CommandError(
    `There is no user ${idOrEmail} with a proven address. \`octavo user list\` shows ids; \`octavo user create\` makes one.`,
  );
}
