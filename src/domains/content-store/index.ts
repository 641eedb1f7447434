/** The content of revisions as it is stored: objects by hash, trees, bodies and what is known about them. */
export { findWithBody, linkTableIn, nameOf, readBody, type WithBody } from './bodies.ts';
export { cachedFacts, cacheFacts, factsReader, type Analyses } from './body-facts.ts';
export { CollectedAnalyses } from './collected-analyses.ts';
export { readObjects, writeObjects } from './object-store.ts';
export {
  addText,
  loaderOf,
  readInline,
  readText,
  withObjects,
  withTexts,
  type NewTexts,
  type StorageContext,
} from './objects.ts';
export { runTask, runTaskInTurn, type Work } from './run-task.ts';
export { columnOf, createStorageCaches, readTree, rootOf, treeAt } from './trees.ts';
export { newObjects, storeTexts, writeContent, type Base, type Content } from './write-content.ts';
