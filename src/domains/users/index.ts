export { callerSql, USER, userOf, users, type UserColumns } from './policy.ts';
export { asUser, presentUser, SOMEBODY } from './present.ts';
export { User } from './schema.ts';
export {
  deleteToken,
  deleteUnusedTokens,
  findAdministrator,
  findUserByEmail,
  insertToken,
  insertUser,
  listAllUsers,
  listTokensOfUser,
  normaliseEmail,
  proveEmail,
  touchTokens,
} from './store.ts';
