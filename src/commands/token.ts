import { deleteToken, insertToken, listTokensOfUser } from '../domains/users/index.ts';
import { SCOPES } from '../domains/access/index.ts';
import { administer } from './administer.ts';
import { namedUser } from './named-user.ts';
import { CommandError, type Command } from './command.ts';
import { table } from './table.ts';
import type { Scope } from '../platform/api/scope.ts';

export const createToken: Command = {
  name: 'token create',
  summary: 'Create a token for a user. Prints only the token, which is shown only once.',
  options: {
    user: 'e-mail or id of the user',
    label: 'purpose of the token (default: Command line)',
    expires: 'expiry date, such as 2027-01-31 (default: never)',
    scopes: 'scopes, separated by commas (default: all rights of the user)',
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
  if (Number.isNaN(date.getTime()))
    throw new CommandError(`"${text}" is not a date. Use the form 2027-01-31.`);
  if (date <= new Date()) throw new CommandError(`${text} is in the past.`);
  return date.toISOString();
}

function scopesOf(text: string): Scope[] {
  const given = text.split(',').map((scope) => scope.trim());
  const unknown = given.filter((scope) => !SCOPES.includes(scope as Scope));
  if (unknown.length > 0)
    throw new CommandError(`Unknown scopes: ${unknown.join(', ')}. Known scopes: ${SCOPES.join(', ')}.`);
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
  summary: 'Delete a token. Running servers reject it within a second.',
  options: {},
  arguments: ['id'],
  async run({ id = '' }, output) {
    const deleted = await administer((db) => deleteToken(db, id));
    if (!deleted)
      throw new CommandError(`There is no token ${id}. \`octavo token list\` lists the tokens of a user.`);
    output.result({ id }, `Deleted ${id}.`);
  },
};
