export {
  callerSql,
  NAMED_BY_EMAIL,
  PROVEN_EMAIL,
  SHOWN_EMAIL,
  USER,
  userOf,
  users,
  type UserColumns,
} from './policy.ts';
export { contextForUser } from './act-as.ts';
export { asUser, presentUser, DELETED_USER } from './present.ts';
export { User } from './schema.ts';
export {
  deleteExpiredTokens,
  deleteToken,
  deleteUnusedTokens,
  findAdministrator,
  findProvenUser,
  findTokenHolder,
  findUser,
  findUsers,
  insertToken,
  insertUser,
  listAllUsers,
  listTokensOfUser,
  narrowTokens,
  normaliseEmail,
  proveEmail,
  setDisabled,
  touchTokens,
  touchUnusedTokens,
  type NewUser,
} from './store.ts';
