export {
  activate,
  deleteHostname,
  findSite,
  insertHostname,
  listAllHostnames,
  lockReplaced,
  type Replaced,
} from './store.ts';
