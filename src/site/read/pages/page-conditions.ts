import { parseCondition, type Condition } from '../../../content-engine/expressions/index.ts';
import { walkPages, type PageRecord, type Tree } from '../../../content-engine/tree/index.ts';

/** The conditions of the pages of a tree. */
export interface PageConditions {
  /** Their characters; zero if there are none. */
  readonly length: number;
  /** Undefined: the page is for everyone. */
  of(page: PageRecord): Condition | undefined;
}

/** Characters of the conditions of one tree that stay parsed, which takes up to 10 MB. Others are parsed for each visitor class. */
const MAX_PARSED = 500_000;

const known = new WeakMap<Tree, PageConditions>();

/** Each different condition is parsed once for a tree: parsing takes ten times as long as evaluating. */
export function conditionsOf(tree: Tree): PageConditions {
  let conditions = known.get(tree);
  if (!conditions) known.set(tree, (conditions = readConditions(tree)));
  return conditions;
}

function readConditions(tree: Tree): PageConditions {
  const parsed = new Map<string, Condition>();
  let size = 0;
  return {
    length: lengthOf(tree),
    of({ condition: text }) {
      if (!text?.trim()) return undefined;
      let condition = parsed.get(text);
      if (!condition) {
        condition = parseCondition(text);
        if (size + text.length > MAX_PARSED) return condition;
        size += text.length;
        parsed.set(text, condition);
      }
      return condition;
    },
  };
}

function lengthOf(tree: Tree): number {
  let length = 0;
  for (const { page } of walkPages(tree)) length += page.condition?.length ?? 0;
  return length;
}
