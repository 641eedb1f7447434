import type { Hash } from 'node:crypto';
import type { TSchema } from 'typebox';
import { exceeds, requireSendable, requireSendableLength, spend } from '../api/answer-size.ts';
import { serialiser } from './serialiser.ts';

/** Characters of JSON that are written in one step, about: a few milliseconds. */
const STEP = 50_000;

interface Node {
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly patternProperties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly required?: readonly string[];
  readonly default?: unknown;
}

/** Keywords of containers whose members can be written one after another. Others are written as a whole. */
const SIMPLE = new Set(['type', 'title', 'description', 'examples', 'required', 'minItems', 'maxItems']);

const isDivisible = (schema: Node, by: 'properties' | 'patternProperties' | 'items'): boolean =>
  schema[by] !== undefined &&
  Object.keys(schema).every((keyword) => keyword === by || SIMPLE.has(keyword)) &&
  (by !== 'patternProperties' || Object.keys(schema[by] ?? {}).length === 1);

const writers = new WeakMap<Node, (value: unknown) => string>();

function writerOf(schema: Node): (value: unknown) => string {
  let write = writers.get(schema);
  if (!write) writers.set(schema, (write = serialiser(schema as TSchema)));
  return write;
}

/**
 * Writes a large answer as JSON, as `serialiser` does, in steps: 64 MB in one turn would block the event loop for seconds.
 * Refuses it as soon as it exceeds the limit of answers. `hash` gets its bytes.
 */
export function* serialiseInSteps(
  schema: TSchema,
  answer: unknown,
  hash: Hash | undefined,
): Generator<void, Buffer, void> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for (const text of textsOf(schema as Node, answer)) {
    if (text.length === 0) continue;
    const chunk = Buffer.from(text);
    bytes += chunk.length;
    requireSendableLength(bytes);
    hash?.update(chunk);
    chunks.push(chunk);
    yield;
  }
  const body = Buffer.allocUnsafeSlow(bytes);
  let at = 0;
  for (const chunk of chunks) {
    at += chunk.copy(body, at);
    yield;
  }
  return body;
}

function* textsOf(schema: Node, value: unknown): Generator<string, void, void> {
  if (exceeds(value, STEP)) {
    if (isDivisible(schema, 'properties')) return yield* textsOfProperties(schema, value as Members);
    if (isDivisible(schema, 'patternProperties')) return yield* textsOfEntries(schema, value as Members);
    if (isDivisible(schema, 'items')) return yield* textsOfItems(schema, value as readonly unknown[]);
    requireSendable(value);
  }
  yield writerOf(schema)(value);
}

type Members = Readonly<Record<string, unknown>>;

/** Members that the schema does not declare do not leave. */
function* textsOfProperties(schema: Node, value: Members): Generator<string, void, void> {
  const { properties = {}, required = [] } = schema;
  let separator = '{';
  const isOptional = ([name]: readonly [string, Node]): number => (required.includes(name) ? 0 : 1);
  // In the order of the library.
  const sorted = Object.entries(properties).toSorted((one, other) => isOptional(one) - isOptional(other));
  for (const [name, memberSchema] of sorted) {
    const { [name]: member = memberSchema.default } = value;
    if (member === undefined) {
      if (required.includes(name)) throw new Error(`The answer has no "${name}", which is required`);
      continue;
    }
    yield `${separator}${JSON.stringify(name)}:`;
    yield* textsOf(memberSchema, member);
    separator = ',';
  }
  yield separator === '{' ? '{}' : '}';
}

function* textsOfEntries(schema: Node, value: Members): Generator<string, void, void> {
  const [[pattern, memberSchema] = ['', {}]] = Object.entries(schema.patternProperties ?? {});
  const isDeclared = new RegExp(pattern, 'u');
  const entries = Object.entries(value).filter(([name]) => isDeclared.test(name));
  yield '{';
  yield* textsOfBatches(entries, {
    valueOf: ([, member]) => member,
    writeAll: (batch) => writerOf(schema)(Object.fromEntries(batch)),
    *textsOfOne([name, member]) {
      yield `${JSON.stringify(name)}:`;
      yield* textsOf(memberSchema, member);
    },
  });
  yield '}';
}

function* textsOfItems(schema: Node, items: readonly unknown[]): Generator<string, void, void> {
  yield '[';
  yield* textsOfBatches(items, {
    valueOf: (item) => item,
    writeAll: writerOf(schema),
    textsOfOne: (item) => textsOf(schema.items ?? {}, item),
  });
  yield ']';
}

interface Batches<T> {
  valueOf(member: T): unknown;
  /** The container with these members alone. */
  writeAll(members: readonly T[]): string;
  /** Of a member that is large itself. */
  textsOfOne(member: T): Generator<string, void, void>;
}

/** As many members as fit into a step are written together. */
function* textsOfBatches<T>(members: readonly T[], batches: Batches<T>): Generator<string, void, void> {
  let separator = '';
  for (let start = 0, end = 0; start < members.length; start = end) {
    for (let left = STEP; end < members.length; end++) {
      left = spend(batches.valueOf(members[end] as T), left);
      if (left < 0) break;
    }
    if (end === start) {
      yield separator;
      yield* batches.textsOfOne(members[end++] as T);
      separator = ',';
    } else {
      const inner = batches.writeAll(members.slice(start, end)).slice(1, -1);
      if (inner === '') continue;
      yield separator + inner;
      separator = ',';
    }
  }
}
