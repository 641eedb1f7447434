export {
  activate,
  deleteHostname,
  findSite,
  findSiteOfHost,
  insertHostname,
  listAllHostnames,
  lockReplaced,
  type Replaced,
} from './store.ts';
