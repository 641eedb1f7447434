import type { Hash, Load } from '../map/index.ts';
import { parseBlocks, type BlockRange } from '../markdown/index.ts';
import type { Tree } from '../tree/index.ts';
import { carryBlocks, type CarriedBlock } from './carry-keys.ts';
import { textOfBlocks } from './body/without-blocks.ts';
import { isWhole, type BlockConflict, type Conflict, type Standing } from './conflict.ts';
import { documentOf, fieldValue } from './field-value.ts';
import { entryIn, isRekeyed, placeOf } from './merge-record.ts';
import { Texts } from './texts.ts';
import { isEqual, versions } from './three.ts';

export interface Carried {
  /** The conflict as it stands after: its blocks may have other keys. Absent: nothing of it is left. */
  readonly conflict?: Conflict;
  /** Whether that very block, field or position is another than before, or the entry is gone. */
  readonly isEdited: boolean;
}

/** A body that became another one: where its blocks stand in it. */
interface Rewritten {
  readonly carried: ReadonlyMap<string, CarriedBlock>;
  readonly body: string;
  readonly blocks: readonly BlockRange[];
}

/**
 * Where conflicts stand after the content of their change request changed from one tree to another, in their order. An
 * edit of that very block or field resolves one. A page may have hundreds: its bodies are compared once.
 */
export async function carryConflicts(
  load: Load,
  conflicts: readonly Conflict[],
  before: Tree,
  after: Tree,
): Promise<Carried[]> {
  const rewritten = await compare(load, conflicts, before, after);
  return conflicts.map((conflict) => {
    const [old, now] = [entryIn(before, conflict.entry), entryIn(after, conflict.entry)];
    if (now === undefined) return { isEdited: true };
    switch (conflict.kind) {
      case 'block':
        if (documentOf(old) === documentOf(now)) return { conflict, isEdited: false };
        if (isWhole(conflict)) return { conflict, isEdited: true };
        return carryBlock(conflict, rewritten.get(conflict.entry));
      case 'field':
        return { conflict, isEdited: !isEqual(fieldValue(old, conflict), fieldValue(now, conflict)) };
      case 'position':
        return { conflict, isEdited: !isEqual(placeOf(old), placeOf(now)) && !isRekeyed(old, now) };
      case 'delete':
        // Only its deletion would be another answer.
        return { conflict, isEdited: false };
    }
  });
}

/** The bodies that have conflicts about blocks, and became others. */
async function compare(
  load: Load,
  conflicts: readonly Conflict[],
  before: Tree,
  after: Tree,
): Promise<Map<string, Rewritten>> {
  const blocks = conflicts.filter((one) => one.kind === 'block' && !isWhole(one));
  const documents = new Map<string, readonly [Hash, Hash]>();
  for (const entry of new Set(blocks.map((one) => one.entry))) {
    const [old, now] = [before, after].map((tree) => documentOf(entryIn(tree, entry)));
    if (old !== undefined && now !== undefined && old !== now) documents.set(entry, [old, now]);
  }
  const texts = new Texts();
  await texts.load(load, [...documents.values()].flat());
  return new Map(
    Array.from(documents, ([entry, [old, now]]) => {
      const body = texts.get(now);
      return [entry, { carried: carryBlocks(texts.get(old), body), body, blocks: parseBlocks(body) }];
    }),
  );
}

function carryBlock(conflict: BlockConflict, rewritten: Rewritten | undefined): Carried {
  if (rewritten === undefined) return { isEdited: true };
  const { carried, body, blocks } = rewritten;
  const keys = [...conflict.block.primary, ...conflict.block.proposed];
  const found = keys.map((key) => carried.get(key));
  const isEdited = found.some((block) => block === undefined || block.isEdited);
  if (found.every((block) => block === undefined)) return { isEdited };
  if (!isEdited && found.every((block, index) => block?.key === keys[index])) return { conflict, isEdited };
  const carry = (keys: readonly string[]) => keys.flatMap((key) => carried.get(key)?.key ?? []);
  const block = { primary: carry(conflict.block.primary), proposed: carry(conflict.block.proposed) };
  /** Its version is what it became; where nothing is left of it, none. */
  const textOn = (side: keyof Standing): string | undefined => {
    const isAsItWas = conflict.block[side].every((key) => carried.get(key)?.isEdited === false);
    if (isAsItWas) return conflict[side];
    return block[side].length === 0 ? undefined : textOfBlocks(body, blocks, new Set(block[side]));
  };
  const three = { ancestor: conflict.ancestor, primary: textOn('primary'), proposed: textOn('proposed') };
  return { conflict: { kind: 'block', entry: conflict.entry, ...versions(three), block }, isEdited };
}
