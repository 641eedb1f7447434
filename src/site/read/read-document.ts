import { documentFor, type Visit } from '../../content-engine/evaluation/index.ts';
import type { JSONDocument } from '../../content-engine/document/index.ts';
import { findReusableContent, type ContentRef, type DocumentPage } from '../../content-engine/tree/index.ts';
import {
  isLarge,
  nameOf,
  readBody,
  readText,
  sizeOfText,
  targetsOf,
  type WithBody,
} from '../../domains/revisions/index.ts';
import { joinJson } from '../../content-engine/json-parts.ts';
import { inSlices, pauseBetweenSlices } from '../../platform/threads/slices.ts';
import type { OpenSpace } from './open-space.ts';
import { scopeOf } from './readable-pages.ts';
import { resolverIn } from './repository-links.ts';
import type { SiteReader } from './site-reader.ts';

/** A page as a visitor sees it, with everything that it refers to. */
export interface ReadDocument {
  readonly document: JSONDocument;
  /** Reusable contents that it includes, by `keyOf`. */
  readonly reusableContents: ReadonlyMap<string, JSONDocument>;
  /** The readable spaces that it refers to, by id. */
  readonly spaces: ReadonlyMap<string, OpenSpace>;
}

/** Reusable contents of one page, those inside others included. */
const MAX_INCLUDED = 200;

type ReusableRef = Extract<ContentRef, { kind: 'reusable-content' }>;

export const reusableKey = (spaceId: string, ref: ReusableRef): string =>
  `${ref.space ?? spaceId}/${ref.reusableContent}`;

export async function readDocument(
  reader: SiteReader,
  space: OpenSpace,
  page: DocumentPage,
): Promise<ReadDocument> {
  const visit: Visit = {
    scope: scopeOf(space.tree, page, reader.visitor.claims),
    deterministicOnly: false,
  };
  const spaces = new Map<string, OpenSpace>([[space.siteSpace.spaceId, space]]);
  const reusableContents = new Map<string, JSONDocument>();
  const document = await evaluated(space, page, visit);
  const pause = pauseBetweenSlices();
  for (const queue = [{ document, of: space.siteSpace.spaceId }]; queue.length > 0;) {
    const { document: next, of } = queue.shift() as (typeof queue)[number];
    for (const ref of refsIn(next)) {
      await pause();
      if (!ref) continue;
      const spaceId = ('space' in ref ? ref.space : undefined) ?? of;
      const target = await openOnce(reader, spaces, spaceId, space);
      if (ref.kind !== 'reusable-content' || !target) continue;
      const key = reusableKey(of, ref);
      const content = findReusableContent(target.tree, ref.reusableContent);
      if (!content || reusableContents.has(key) || reusableContents.size >= MAX_INCLUDED) continue;
      const included = inSpace(await evaluated(target, content, visit), spaceId);
      reusableContents.set(key, included);
      queue.push({ document: included, of: spaceId });
    }
  }
  return { document, reusableContents, spaces };
}

/** Whether what is shown of a page may depend on its visitor. May be wrongly true. */
export const dependsOnVisitor = async ({ load }: OpenSpace, { document }: DocumentPage): Promise<boolean> =>
  /\{%[\s-]*if|expression/i.test(await readText(load, document));

/** Whether a page includes reusable content. May be wrongly true. */
export const hasIncludes = async ({ load }: OpenSpace, { document }: DocumentPage): Promise<boolean> =>
  /\{%[\s-]*include\b/.test(await readText(load, document));

/** Opens a space that the visitor may read, once. */
export async function openOnce(
  reader: SiteReader,
  spaces: Map<string, OpenSpace>,
  spaceId: string,
  near: OpenSpace | undefined,
): Promise<OpenSpace | undefined> {
  const known = spaces.get(spaceId);
  if (known) return known;
  const place = reader.placeOf(spaceId, near?.siteSpace);
  if (!place) return undefined;
  const opened = await reader.open(place);
  spaces.set(spaceId, opened);
  return opened;
}

async function evaluated(space: OpenSpace, record: WithBody, visit: Visit): Promise<JSONDocument> {
  const { load, engine } = space;
  const body = await readBody(load, record);
  const { text, links } = body;
  const work = { size: sizeOfText(text), what: nameOf(record) };
  const resolve = resolverIn(space, record.id, links);
  if (!isLarge(work.size)) return engine.here(work.what, () => documentFor(text, resolve, visit));
  const targets = await targetsOf(space, record, body, resolve);
  const parts = await engine.run('documentFor', { text, targets, visit }, work);
  return (await inSlices(joinJson(parts))) as JSONDocument;
}

/** Values between two steps: some tenths of a millisecond. */
const STEP = 1000;

/** Every reference in a document, wherever it is: in links, images, tables, cards. Undefined: a step without one. */
export function* refsIn(document: JSONDocument): Generator<ContentRef | undefined> {
  const rest: unknown[] = [document.nodes];
  for (let count = 1; rest.length > 0; count += 1) {
    const value = rest.pop();
    if (count % STEP === 0) yield undefined;
    if (typeof value !== 'object' || value === null) continue;
    if (isRef(value)) yield value;
    for (const member of Object.values(value)) if (typeof member === 'object') rest.push(member);
  }
}

const KINDS = new Set(['file', 'url', 'page', 'anchor', 'space', 'reusable-content', 'openapi', 'tag']);

const isRef = (value: object): value is ContentRef =>
  'kind' in value && typeof value.kind === 'string' && KINDS.has(value.kind);

/** References of included content are relative to its own space. Copied: link tables are shared with the cached tree. */
function inSpace<T>(value: T, space: string): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((member: unknown) => inSpace(member, space)) as T;
  const members = Object.entries(value).map(([name, member]) => [name, inSpace<unknown>(member, space)]);
  const copy = Object.fromEntries(members) as T & object;
  return isRef(value) && isOfSpace(value) ? { ...copy, space: value.space ?? space } : copy;
}

type RefInSpace = Extract<
  ContentRef,
  { readonly page?: string } | { readonly file: string } | { readonly tag: string }
>;

const isOfSpace = (ref: ContentRef): ref is RefInSpace | ReusableRef =>
  ref.kind === 'page' ||
  ref.kind === 'file' ||
  ref.kind === 'tag' ||
  ref.kind === 'reusable-content' ||
  (ref.kind === 'anchor' && ref.page !== undefined);
