import { setImmediate as nextTurn } from 'node:timers/promises';
import { buildTree, type ContentRecord } from '../src/content-engine/tree/index.ts';
import type { SiteAddresses } from '../src/site/read/addresses.ts';
import type { OpenSpace } from '../src/site/read/pages/open-space.ts';
import type { SiteReader } from '../src/site/read/site-reader.ts';
import type { SiteSpaceColumns } from '../src/site/read/store.ts';
import { trackAlive } from './retained-heap.ts';

/** A site of many spaces, each with one page `page` at `guide`, and how many of them are in use at the end. */
export interface ManySpaces {
  readonly reader: SiteReader;
  readonly addresses: SiteAddresses;
  open(index: number): Promise<OpenSpace>;
  /** How many were in use when the last one was opened, that one included. */
  openAtLast(): number;
}

export function manySpaces(count: number, language: string | null = null): ManySpaces {
  const alive = trackAlive<OpenSpace>();
  let openAtLast = Number.NaN;
  const siteSpaces = Array.from({ length: count }, (_each, index) => ({
    id: `place${index}`,
    spaceId: `space${index}`,
    revisionId: `revision${index}`,
    language: language && `${language}-${index}`,
  })) as unknown as SiteSpaceColumns[];
  const open = async (siteSpace: SiteSpaceColumns): Promise<OpenSpace> => {
    await nextTurn();
    const tree = buildTree([
      {
        kind: 'page',
        type: 'document',
        id: 'page',
        position: 'a0',
        title: `Guide of ${siteSpace.spaceId}`,
        slug: 'guide',
        document: 'x'.repeat(43),
      } as ContentRecord,
    ]);
    const pages = { mayRead: () => true, documents: [] };
    const space = alive.add({ siteSpace, tree, pages } as unknown as OpenSpace);
    // Once: it collects the garbage of all test files of this process, which takes a second.
    if (siteSpace === siteSpaces.at(-1)) openAtLast = alive.count();
    return space;
  };
  const reader = {
    site: { sectionOf: () => undefined },
    spacesOf: () => siteSpaces,
    placeOf: (spaceId: string) => siteSpaces.find((each) => each.spaceId === spaceId),
    open,
  } as unknown as SiteReader;
  const addresses = {
    page: ({ siteSpace }: OpenSpace, id: string) => `/${siteSpace.id}/${id}`,
    absolute: (href: string) => href,
  } as SiteAddresses;
  return { reader, addresses, open: (index) => open(siteSpaces[index]!), openAtLast: () => openAtLast };
}
