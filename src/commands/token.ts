import { deleteToken, insertToken, listTokensOfUser } from '../domains/users/index.ts';
import { SCOPES } from '../domains/access/index.ts';
import { administer } from './administer.ts';
import { namedUser } from './named-user.ts';
import { CommandError, type Command } from './command.ts';
import { table } from './table.ts';
import type { Scope } from '../platform/api/scope.ts';

export const createToken: Command = {
  name: 'token create',
  summary: 'Create a token for a user. Prints the token alone: it is shown this once.',
  options: {
    user: 'e-mail or id of the user',
    label: 'what it is for',
    expires: 'when it stops working, e.g. 2027-01-31',
    scopes: 'what it is limited to, separated by commas (default: all the rights of the user)',
  },
  required: ['user'],
  async run({ user = '', label, expires, scopes }, output) {
    const request = {
      label: (label ?? 'Command line').slice(0, 50),
      expiresAt: expires === undefined ? undefined : dateOf(expires),
      scopes: scopes === undefined ? undefined : scopesOf(scopes),
    };
    const { row, token } = await administer(async (db) => {
      const { id } = await namedUser(db, user);
      return insertToken(db, id, request);
    });
    output.result({ id: row.token_id, label: row.label, token }, token);
  },
};

function dateOf(text: string): string {
  const date = new Date(text);
  if (Number.isNaN(date.getTime())) throw new CommandError(`"${text}" is no date. Write it like 2027-01-31.`);
  if (date <= new Date()) throw new CommandError(`${text} is in the past.`);
  return date.toISOString();
}

function scopesOf(text: string): Scope[] {
  const given = text.split(',').map((scope) => scope.trim());
  const unknown = given.filter((scope) => !SCOPES.includes(scope as Scope));
  if (unknown.length > 0)
    throw new CommandError(`Unknown scopes: ${unknown.join(', ')}. There are: ${SCOPES.join(', ')}.`);
  return given as Scope[];
}

export const listTokens: Command = {
  name: 'token list',
  summary: 'List the tokens of a user, without their secrets.',
  options: { user: 'e-mail or id of the user' },
  required: ['user'],
  async run({ user = '' }, output) {
    const rows = await administer(async (db) => listTokensOfUser(db, (await namedUser(db, user)).id));
    const cells = rows.map((row) => [row.id, row.label, row.expires_at?.toISOString() ?? 'never']);
    output.result(rows, table(['id', 'label', 'expires'], cells));
  },
};

export const removeToken: Command = {
  name: 'token delete',
  summary: 'Delete a token: it is refused within a second, also by running servers.',
  options: {},
  arguments: ['id'],
  async run({ id = '' }, output) {
    const deleted = await administer((db) => deleteToken(db, id));
    if (!deleted) throw new CommandError(`There is no token ${id}. octavo token list shows them.`);
    output.result({ id }, `Deleted ${id}.`);
  },
};
