import { BODY_BUDGET, ComparisonBudget } from '../diff/index.ts';
import { childrenOf, type ChildNode } from '../document/index.ts';
import { analyse, type BlockRange } from '../markdown/index.ts';
import { align, findMoved, findSimilar, isSimilar, mayBeSameBlock } from './body/align.ts';
import { readBody, type SourceBlock } from './body/source-block.ts';

/** A block after an edit. */
export interface FollowedBlock {
  readonly key: string;
  readonly isEdited: boolean;
}

/**
 * Follows blocks through an edit of a document: old key → new key, or undefined if the block was deleted. A block that
 * was edited in place or moved is the same block with another key. A node inside a block, such as a table cell, keeps
 * its key while it is unchanged, and is replaced by its block afterwards.
 */
export function followKeys(
  before: string,
  after: string,
  keys: Iterable<string>,
): Map<string, string | undefined> {
  const followed = followBlocks(before, after);
  const ownersBefore = lazy(() => ownersIn(before));
  const ownersAfter = lazy(() => ownersIn(after));
  const find = (key: string): string | undefined => {
    const block = followed.get(key)?.key;
    if (block !== undefined) return block;
    const owner = ownersBefore().get(key);
    const ownerAfter = owner === undefined || owner === key ? undefined : followed.get(owner)?.key;
    return ownerAfter !== undefined && ownersAfter().get(key) === ownerAfter ? key : ownerAfter;
  };
  return new Map(Array.from(keys, (key) => [key, find(key)]));
}

/** Key of each node → key of the innermost block with a source range that contains it. */
function ownersIn(body: string): Map<string, string> {
  const { blocks, document } = analyse(body);
  const ranges = new Set<string>();
  const collect = (list: readonly BlockRange[]) => {
    for (const { key, children } of list) {
      ranges.add(key);
      collect(children);
    }
  };
  collect(blocks);
  const owners = new Map<string, string>();
  const follow = (node: ChildNode, owner: string | undefined) => {
    const own = node.key !== undefined && ranges.has(node.key) ? node.key : owner;
    if (node.key !== undefined && own !== undefined) owners.set(node.key, own);
    for (const child of childrenOf(node)) follow(child, own);
  };
  for (const node of document.nodes) follow(node, undefined);
  return owners;
}

function lazy<T>(make: () => T): () => T {
  let created: { readonly value: T } | undefined;
  return () => (created ??= { value: make() }).value;
}

/** The blocks that still exist, by their old keys. */
export function followBlocks(
  before: string,
  after: string,
  budget = new ComparisonBudget(BODY_BUDGET),
): Map<string, FollowedBlock> {
  const followed = new Map<string, FollowedBlock>();
  let deleted: SourceBlock[] = [];
  const inserted: SourceBlock[] = [];
  /** Blocks in the same place whose texts have little in common. */
  const replaced: (readonly [block: SourceBlock, partner: SourceBlock])[] = [];
  const follow = (old: readonly SourceBlock[], now: readonly SourceBlock[]) => {
    const { pairs, moved } = align(old, now, budget);
    const partners = new Map(
      [...pairs].filter(([block, partner]) => mayBeSameBlock(block, partner)).concat([...moved]),
    );
    const paired = new Set(partners.values());
    for (const block of now) if (!paired.has(block)) collect(block, inserted);
    for (const block of old) {
      const partner = partners.get(block);
      if (partner === undefined) {
        collect(block, deleted);
        continue;
      }
      if (isSimilar(block, partner)) followOne(block, partner);
      else replaced.push([block, partner]);
    }
  };
  const followOne = (block: SourceBlock, partner: SourceBlock) => {
    followed.set(block.key, { key: partner.key, isEdited: partner.matchKey !== block.matchKey });
    if (partner.text === block.text) followUnchanged(block, partner);
    else follow(block.blocks, partner.blocks);
  };
  const followUnchanged = (block: SourceBlock, partner: SourceBlock) => {
    for (const [index, inner] of block.blocks.entries()) {
      const other = partner.blocks[index];
      if (other === undefined) continue;
      followed.set(inner.key, { key: other.key, isEdited: false });
      followUnchanged(inner, other);
    }
  };
  follow(readBody(before).blocks, readBody(after).blocks);
  // Lists that were joined: what replaces an item may be an item of the other list.
  const joined = findMoved(
    deleted,
    replaced.map(([, partner]) => partner),
  );
  const ofOthers = new Set(joined.values());
  deleted = deleted.filter((block) => !joined.has(block));
  for (const [block, partner] of joined) followOne(block, partner);
  for (const [block, partner] of replaced) {
    if (ofOthers.has(partner)) collect(block, deleted);
    else followOne(block, partner);
  }
  // Moved into or out of another block.
  const moved = findMoved(deleted, inserted);
  for (const [block, partner] of moved) followed.set(block.key, { key: partner.key, isEdited: false });
  const unpaired = deleted.filter((block) => !moved.has(block));
  const taken = new Set(moved.values());
  for (const [block, partner] of findSimilar(
    unpaired,
    inserted.filter((block) => !taken.has(block)),
    budget,
  )) {
    followed.set(block.key, { key: partner.key, isEdited: true });
  }
  return followed;
}

/** Adds a block and its descendants. */
function collect(block: SourceBlock, into: SourceBlock[]): void {
  into.push(block);
  for (const inner of block.blocks) collect(inner, into);
}
