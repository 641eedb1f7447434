export { MAX_DEPTH, tooDeep } from './create.ts';
export { endOf, endsOf, placeIn, type Pointers } from './order.ts';
export { collections, placeOf, type CollectionRow } from './policy.ts';
export { presentCollection } from './present.ts';
export { Collection } from './schema.ts';
export {
  deleteCollections,
  findCollections,
  getCollection,
  getPlaceOfCollection,
  getWay,
  heightOf,
  levelColumns,
  listIdsInside,
  lockOrder,
  moveCollection,
  outOfSight,
  ROOT,
  type Parent,
} from './store.ts';
