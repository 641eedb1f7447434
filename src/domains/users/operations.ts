import Type from 'typebox';
import { requireFuture } from '../../platform/api/value-checks.ts';
import { on, operation, signedIn } from '../../platform/api/operation.ts';
import { presentList } from '../../platform/api/pagination.ts';
import { idOf } from '../../platform/api/resource.ts';
import { ListQuery, listOf } from '../../platform/api/schema.ts';
import { self, tokens, users } from './policy.ts';
import { presentToken, presentUser } from './present.ts';
import { CreatedToken, NewToken, Token, User, UserPatch } from './schema.ts';
import * as store from './store.ts';

const UserPath = Type.Object({ userId: idOf(users, 'view') });
const TokenPath = Type.Object({ tokenId: idOf(tokens, 'view') });
const mayOnUser = on(users);
const mayOnToken = on(tokens);

/** Tokens cannot be changed. */
const TOKEN_VERSION = () => 1;

export const getAuthenticatedUser = operation({
  method: 'GET',
  path: '/v1/user',
  summary: 'Get the authenticated user',
  scope: 'user:read',
  status: 200,
  response: User,
  access: on(self)('view'),
  version: (user) => user.version,
  isCacheableByTarget: true,
  handle: async ({ ctx, target }) => presentUser(target, ctx.addresses),
});

export const getUserById = operation({
  method: 'GET',
  path: '/v1/users/{userId}',
  summary: 'Get a user',
  description: 'Returns yourself or a user who shares an organization with you.',
  scope: 'user:read',
  params: UserPath,
  status: 200,
  response: User,
  access: mayOnUser('view'),
  version: (user) => user.version,
  isCacheableByTarget: true,
  handle: async ({ ctx, target }) => presentUser(target, ctx.addresses),
});

export const updateUserById = operation({
  method: 'PATCH',
  path: '/v1/users/{userId}',
  summary: 'Update your own profile',
  scope: null,
  params: UserPath,
  body: UserPatch,
  status: 200,
  response: User,
  access: mayOnUser('update'),
  version: (user) => user.version,
  handle: async ({ ctx, body, target }) =>
    presentUser(await store.updateUser(ctx.db, target.user_id, body), ctx.addresses),
});

export const listUserTokens = operation({
  method: 'GET',
  path: '/v1/user/tokens',
  summary: 'List your tokens',
  description: 'Oldest first.',
  scope: null,
  query: ListQuery,
  status: 200,
  response: listOf(Token),
  access: signedIn,
  handle: async ({ ctx, page }) =>
    presentList(await store.listTokens(ctx.db, ctx.caller.id, page), presentToken),
});

export const createUserToken = operation({
  method: 'POST',
  path: '/v1/user/tokens',
  summary: 'Create a token',
  description:
    'The secret is returned only in this response. `scopes` limits the token; default: all your rights.',
  scope: null,
  body: NewToken,
  status: 201,
  response: CreatedToken,
  access: signedIn,
  location: (token) => `/v1/user/tokens/${token.id}`,
  handle: async ({ ctx, body }) => {
    requireFuture(ctx.now(), body.expiresAt, 'body.expiresAt');
    const { row, token } = await store.insertToken(ctx.db, ctx.caller.id, body);
    return { ...presentToken(row), token };
  },
});

export const getUserToken = operation({
  method: 'GET',
  path: '/v1/user/tokens/{tokenId}',
  summary: 'Get a token',
  scope: null,
  params: TokenPath,
  status: 200,
  response: Token,
  access: mayOnToken('view'),
  version: TOKEN_VERSION,
  handle: async ({ target }) => presentToken(target),
});

export const deleteUserToken = operation({
  method: 'DELETE',
  path: '/v1/user/tokens/{tokenId}',
  summary: 'Delete a token',
  description:
    'This process rejects the token from the next request on, all other processes within a second.',
  scope: null,
  params: TokenPath,
  status: 205,
  access: mayOnToken('delete'),
  version: TOKEN_VERSION,
  handle: async ({ ctx, target }) => {
    await store.deleteToken(ctx.db, target.token_id);
  },
});
