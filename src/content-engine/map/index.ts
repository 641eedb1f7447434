/** The persistent map from entry id to record: a canonical hash trie. Equal content has an equal root hash. */
export { canonicalText } from './canonical.ts';
export { hashFromBytes, hashOf, hashToBytes, type Hash, type NodeHash } from './hash.ts';
export { emptyRoot, isEncodedInner } from './node.ts';
export type { Load } from './load.ts';
export { apply, build } from './apply.ts';
export { entries, get, size } from './read.ts';
export { diff, isSame, type Difference } from './diff.ts';
export { walk } from './walk.ts';
