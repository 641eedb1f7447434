export {
  activate,
  deleteHostname,
  findSite,
  findSiteOfHost,
  insertHostname,
  listAllHostnames,
} from './store.ts';
