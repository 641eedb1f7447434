import { eachBlock, type BlockOf, type JSONDocument, type RefOf } from '../document/index.ts';
import type { PartView } from '../openapi/index.ts';

/** A file of the space of the page, or of another. */
export type WantedFile = Pick<RefOf<'file'>, 'file' | 'space'>;

/** A part that a page shows: of a specification with a slug, or with a URL, or of a file. */
export interface WantedPart {
  readonly spec: { readonly slug: string } | { readonly url: string } | WantedFile;
  readonly kind: PartView['kind'];
  readonly name: string;
}

export interface ReadPart {
  readonly slug: string;
  /** Undefined: the specification has no such part (any more). */
  readonly view?: PartView | undefined;
  /** Characters of its JSON. */
  readonly size: number;
}

/** Parts of specifications that a page shows. Each is read once, however often it is shown. */

export type OpenAPIBlock = BlockOf<'swagger' | 'openapi-operation' | 'openapi-webhook' | 'openapi-schemas'>;

export interface OpenAPIParts {
  /** The parts of a block; undefined for a specification that the organization does not have. */
  of(
    block: OpenAPIBlock,
  ): { readonly spec: string; readonly views: readonly (PartView | undefined)[] } | undefined;
  /** Characters of their JSON. */
  readonly size: number;
}

/** Blocks beyond it show their method and path only. */
const MAX_PARTS = 1_000;

/** The parts that documents show, by a key. */
export function wantedBy(documents: Iterable<JSONDocument>): Map<string, WantedPart> {
  const wanted = new Map<string, WantedPart>();
  for (const { nodes } of documents) {
    eachBlock(nodes, (block) => {
      if (!isOpenAPI(block)) return;
      for (const part of partsOf(block)) if (wanted.size < MAX_PARTS) wanted.set(keyOf(part), part);
    });
  }
  return wanted;
}

/** Parts that were read, by the same key. */
export const openAPIParts = (byKey: ReadonlyMap<string, ReadPart | undefined>): OpenAPIParts => ({
  size: [...byKey.values()].reduce((sum, part) => sum + (part?.size ?? 0), 0),
  of(block) {
    const own = partsOf(block).map((part) => byKey.get(keyOf(part)));
    const spec = own.find((part) => part !== undefined)?.slug;
    return spec === undefined ? undefined : { spec, views: own.map((part) => part?.view) };
  },
});

export async function readOpenAPIParts(
  documents: Iterable<JSONDocument>,
  read: (wanted: readonly WantedPart[]) => Promise<readonly (ReadPart | undefined)[]>,
): Promise<OpenAPIParts | undefined> {
  const wanted = wantedBy(documents);
  if (wanted.size === 0) return undefined;
  const parts = await read([...wanted.values()]);
  return openAPIParts(new Map([...wanted.keys()].map((key, index) => [key, parts[index]])));
}

const TYPES: ReadonlySet<string> = new Set([
  'swagger',
  'openapi-operation',
  'openapi-webhook',
  'openapi-schemas',
]);

const isOpenAPI = (block: { readonly type: string }): block is OpenAPIBlock => TYPES.has(block.type);

const keyOf = ({ spec, kind, name }: WantedPart): string => JSON.stringify([spec, kind, name]);

function partsOf(block: OpenAPIBlock): WantedPart[] {
  switch (block.type) {
    case 'swagger': {
      const { ref, method, path } = block.data;
      const space = ref.kind === 'file' && ref.space !== undefined ? { space: ref.space } : {};
      // A file is read when the page is rendered; a URL is never.
      const spec = ref.kind === 'url' ? { url: ref.url } : { file: ref.file, ...space };
      return [{ spec, kind: 'operation', name: `${method.toLowerCase()} ${path}` }];
    }
    case 'openapi-operation': {
      const { ref, method, path } = block.data;
      return [{ spec: { slug: ref.spec }, kind: 'operation', name: `${method.toLowerCase()} ${path}` }];
    }
    case 'openapi-webhook': {
      const { ref, method, name } = block.data;
      return [{ spec: { slug: ref.spec }, kind: 'webhook', name: `${method.toLowerCase()} ${name}` }];
    }
    case 'openapi-schemas': {
      const { ref, schemas } = block.data;
      return schemas.map((name) => ({ spec: { slug: ref.spec }, kind: 'schema', name }));
    }
  }
}
