/** Single blocks of a body as an older one has them. Pure. */
export { revertBlocks, unknownBlocks } from './revert-blocks.ts';
