import {
  documentFor,
  inSpace,
  referencesIn,
  refKey,
  reusableKey,
  type Body,
  type BodySource,
  type PageSource,
  type References,
  type Targets,
  type Visit,
} from '../../content-engine/evaluation/index.ts';
import type { JSONDocument } from '../../content-engine/document/index.ts';
import { joinJson } from '../../content-engine/json-parts.ts';
import { sizeOfText, totalOf, type Size } from '../../content-engine/size-of-text.ts';
import { findReusableContent, type DocumentPage } from '../../content-engine/tree/index.ts';
import {
  isLarge,
  nameOf,
  readBody,
  readText,
  targetsOf,
  type WithBody,
  type Work,
} from '../../domains/revisions/index.ts';
import { inSlices, pauseBetweenSlices } from '../../platform/threads/slices.ts';
import type { OpenSpace } from './open-space.ts';
import type { Revisions } from './other-spaces.ts';
import { openNear, visitOf } from './read-document.ts';
import { resolverIn } from './repository-links.ts';
import type { SiteReader } from './site-reader.ts';

/** A page as a visitor sees it, with everything that it refers to. */
export interface ReadPage {
  /** A small page is parsed. A large one is text: a thread parses and renders it, and this thread never has its nodes. */
  readonly content: SmallPage | PageSource;
  readonly work: Work;
  /** Of the page and of what it includes. */
  readonly references: References;
  /** Of the spaces that it and what it includes are in. */
  readonly revisions: Revisions;
}

export interface SmallPage {
  readonly document: JSONDocument;
  /** Reusable contents that it includes, by `reusableKey`. */
  readonly includedDocuments: ReadonlyMap<string, JSONDocument>;
}

/** Reusable contents of one page, those inside others included. What exceeds it is left out, but the first is not. */
const MAX_INCLUDED = 200;
const MAX_INCLUDED_SIZE = 2_000_000;

export async function readPage(reader: SiteReader, space: OpenSpace, page: DocumentPage): Promise<ReadPage> {
  const { spaceId } = space.siteSpace;
  const visit = visitOf(reader, space, page);
  const revisions = new Map([[spaceId, space.siteSpace.revisionId]]);
  const own = await readPart(space, page, visit, undefined);
  const included = new Map<string, Part>();
  let left = MAX_INCLUDED_SIZE;
  const pause = pauseBetweenSlices();
  for (const queue = [own]; queue.length > 0;) {
    for (const ref of (queue.shift() as Part).references.refs) {
      if (ref.kind !== 'reusable-content') continue;
      await pause();
      const key = reusableKey(spaceId, ref);
      if (included.has(key) || included.size >= MAX_INCLUDED || left < 0) continue;
      const id = ref.space ?? spaceId;
      const target = await openNear(reader, space, id);
      if (!target) continue;
      revisions.set(id, target.siteSpace.revisionId);
      const content = findReusableContent(target.tree, ref.reusableContent);
      if (!content) continue;
      left -= sizeOfText(await readText(target.load, content.document));
      if (left < 0 && included.size > 0) continue;
      const part = await readPart(target, content, visit, id);
      included.set(key, part);
      queue.push(part);
    }
  }
  const parts = [own, ...included.values()];
  const work = { size: totalOf(parts.map(({ size }) => size)), what: nameOf(page) };
  const content = isLarge(work.size)
    ? await sourceOf(reader, space, visit, own, included)
    : { document: documentOf(own), includedDocuments: mapValues(included, documentOf) };
  return { content, work, references: joinReferences(parts), revisions };
}

/** A page, or reusable content that it includes. Without its tree: the contents may be those of many spaces. */
interface Part {
  readonly record: WithBody;
  readonly body: Body;
  readonly size: Size;
  /** Of included content: the space of its references. */
  readonly spaceId: string | undefined;
  /** If it is small. */
  readonly document?: JSONDocument;
  /** If it is large. */
  readonly targets?: Targets;
  readonly references: References;
}

async function readPart(
  space: OpenSpace,
  record: WithBody,
  visit: Visit,
  spaceId: string | undefined,
): Promise<Part> {
  const body = await readBody(space.load, record);
  const work = { size: sizeOfText(body.text), what: nameOf(record) };
  const part = { record, body, size: work.size, spaceId };
  const resolve = resolverIn(space, record.id, body.links);
  if (!isLarge(work.size)) {
    const read = await space.engine.here(work.what, () => documentFor(body.text, resolve, visit));
    const document = spaceId === undefined ? read : inSpace(read, spaceId);
    return { ...part, document, references: referencesIn(document) };
  }
  const targets = await targetsOf(space, record, body, resolve);
  const source = { body: bodySource(part, targets), visit };
  const json = await space.engine.run('listReferences', source, work);
  return { ...part, targets, references: (await inSlices(joinJson(json))) as References };
}

const documentOf = ({ document }: Part): JSONDocument => document as JSONDocument;

const bodySource = ({ body, spaceId }: Pick<Part, 'body' | 'spaceId'>, targets: Targets): BodySource => ({
  text: body.text,
  targets,
  ...(spaceId === undefined ? {} : { spaceId }),
});

async function sourceOf(
  reader: SiteReader,
  space: OpenSpace,
  visit: Visit,
  own: Part,
  included: ReadonlyMap<string, Part>,
): Promise<PageSource> {
  const { spaceId } = space.siteSpace;
  const withTargets = async (part: Part): Promise<BodySource> => {
    const { record, body, spaceId: partSpaceId = spaceId } = part;
    if (part.targets) return bodySource(part, part.targets);
    const partSpace = (await openNear(reader, space, partSpaceId)) ?? space;
    const resolve = resolverIn(partSpace, record.id, body.links);
    return bodySource(part, await targetsOf(partSpace, record, body, resolve));
  };
  const contents = new Map<string, BodySource>();
  for (const [key, part] of included) contents.set(key, await withTargets(part));
  return { spaceId, visit, body: await withTargets(own), contents };
}

const mapValues = <T, R>(map: ReadonlyMap<string, T>, change: (value: T) => R): Map<string, R> =>
  new Map(Array.from(map, ([key, value]) => [key, change(value)]));

function joinReferences(parts: readonly Part[]): References {
  const [only] = parts;
  if (only && parts.length === 1) return only.references;
  const refs = parts.flatMap(({ references }) => references.refs);
  return {
    refs: [...new Map(refs.map((ref) => [refKey(ref), ref])).values()],
    icons: [...new Set(parts.flatMap(({ references }) => references.icons))],
  };
}
