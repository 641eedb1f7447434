import { escapePointer } from './check.ts';
import { isObject, type JsonObject } from './parse.ts';
import { SpecificationError } from './specification-error.ts';

/** Loads and parses the file that a `$ref` names. */
export type LoadFile = (url: URL) => Promise<JsonObject>;

export interface Bundle {
  readonly document: JsonObject;
  /** References within the bundle that lead nowhere: their pointers. */
  readonly missing: readonly string[];
}

/** The field of the document that holds the files it refers to. */
const FILES = 'x-ext';
const MAX_FILES = 100;
const MAX_MISSING = 20;

interface File {
  readonly root: JsonObject;
  /** Undefined where the specification was sent as a text: relative references have no base. */
  readonly url: URL | undefined;
  /** The pointer of the file within the bundle. */
  readonly at: string;
}

/**
 * Makes one document of several files: the others are fields of `x-ext`, and references lead there. References are never
 * replaced by what they name, since they may be cyclic, and a hundred times as large. Changes `root`.
 */
export async function bundle(root: JsonObject, url: URL | undefined, load: LoadFile): Promise<Bundle> {
  const files = new Map<string, File>();
  const entry: File = { root, url, at: '#' };
  if (url) files.set(withoutFragment(url), entry);
  const waiting = [entry];
  for (let file = waiting.shift(); file; file = waiting.shift()) {
    for (const { node, pointer } of referencesIn(file.root)) {
      const [address = '', fragment = ''] = node.$ref.split('#', 2);
      if (address === '') {
        if (file !== entry) node.$ref = file.at + fragment;
        continue;
      }
      const target = resolve(address, file.url, pointer);
      const name = withoutFragment(target);
      let found = files.get(name);
      if (!found) {
        if (files.size >= MAX_FILES)
          throw new SpecificationError('FETCH_ERROR', `The specification has more than ${MAX_FILES} files.`);
        const loaded = await load(target).catch((error: unknown) => {
          if (!(error instanceof SpecificationError)) throw error;
          throw new SpecificationError(error.code, `${pointer} refers to ${name}: ${error.message}`);
        });
        found = { root: loaded, url: target, at: `#/${FILES}/${files.size}` };
        files.set(name, found);
        waiting.push(found);
      }
      node.$ref = found.at + fragment;
    }
  }
  const others = [...files.values()].filter((file) => file !== entry);
  if (others.length > 0)
    root[FILES] = Object.fromEntries(others.map((file) => [file.at.split('/').at(-1) ?? '', file.root]));
  return { document: root, missing: missingIn(root, [entry, ...others]) };
}

function resolve(address: string, base: URL | undefined, pointer: string): URL {
  if (!URL.canParse(address, base?.href))
    throw new SpecificationError(
      'FETCH_ERROR',
      base
        ? `${pointer} refers to "${address.slice(0, 200)}", which is not a URL.`
        : `${pointer} refers to "${address.slice(0, 200)}", another file. Send the URL of the specification, or one that is bundled.`,
    );
  return new URL(address, base);
}

function withoutFragment(url: URL): string {
  const copy = new URL(url);
  copy.hash = '';
  return copy.href;
}

interface Reference {
  readonly node: { $ref: string };
  readonly pointer: string;
}

/** Objects whose names are anything: `default` is a response here, and a value elsewhere. */
const MAPS = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
  'schemas',
  'responses',
  'parameters',
  'requestBodies',
  'headers',
  'securitySchemes',
  'links',
  'callbacks',
  'pathItems',
  'paths',
  'webhooks',
  'content',
  'encoding',
  'mediaTypes',
]);
/** Values in which `$ref` is any name. */
const DATA = new Set(['example', 'default', 'enum', 'const']);

/** In the order of the document. */
function referencesIn(root: JsonObject): Reference[] {
  const found: Reference[] = [];
  const visit = (value: unknown, pointer: string, isMap: boolean): void => {
    if (Array.isArray(value))
      return value.forEach((child, index) => visit(child, `${pointer}/${index}`, false));
    if (!isObject(value)) return;
    if (typeof value['$ref'] === 'string')
      found.push({ node: value as unknown as { $ref: string }, pointer });
    for (const [name, child] of Object.entries(value)) {
      if (typeof child !== 'object') continue;
      const at = `${pointer}/${escapePointer(name)}`;
      if (isMap) visit(child, at, false);
      else if (name === 'examples') visitExamples(child, at);
      else if (!DATA.has(name) && !name.startsWith('x-')) visit(child, at, MAPS.has(name));
    }
  };
  // Of the examples of media types, some are references; those of schemas are data.
  const visitExamples = (examples: unknown, pointer: string): void => {
    if (!isObject(examples)) return;
    for (const [name, example] of Object.entries(examples)) {
      if (isObject(example) && typeof example['$ref'] === 'string')
        found.push({
          node: example as unknown as { $ref: string },
          pointer: `${pointer}/${escapePointer(name)}`,
        });
    }
  };
  visit(root, '#', false);
  return found;
}

function missingIn(root: JsonObject, files: readonly File[]): string[] {
  const missing: string[] = [];
  const known = new Map<string, boolean>();
  for (const { node, pointer } of files.flatMap((file) => referencesIn(file.root))) {
    const isKnown = known.get(node.$ref) ?? valueAt(root, node.$ref) !== undefined;
    known.set(node.$ref, isKnown);
    if (!isKnown && missing.length < MAX_MISSING)
      missing.push(`${pointer} refers to ${node.$ref}, which does not exist.`);
  }
  return missing;
}

/** The value at `#/a/b`. Anchors (`#name`) are not supported, as by most readers of specifications. */
export function valueAt(root: unknown, pointer: string): unknown {
  if (pointer === '#' || pointer === '#/') return root;
  if (!pointer.startsWith('#/')) return undefined;
  let value: unknown = root;
  for (const part of pointer.slice(2).split('/')) {
    const name = unescapePointer(part);
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as JsonObject)[name];
  }
  return value;
}

function unescapePointer(part: string): string {
  const text = part.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
