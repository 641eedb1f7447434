export { callerSql, users } from './policy.ts';
export { presentUser, type UserColumns } from './present.ts';
export { User } from './schema.ts';
export {
  deleteToken,
  findUserByEmail,
  insertToken,
  insertUser,
  listAllUsers,
  listTokensOfUser,
  normaliseEmail,
  proveEmail,
  touchTokens,
} from './store.ts';
