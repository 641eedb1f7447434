import { addToList } from '../add-to-list.ts';
import { defaultHref, documentOfBlocks, summaryOf, type BlockNode } from '../document/index.ts';
import { parseDocument, toMarkdown, updateTitle } from '../markdown/index.ts';
import { cleanTitle, slugOf, type GeneratedPart } from '../tree/index.ts';
import type { ApiOperation, ApiOutline, ApiTag } from '../openapi/index.ts';
import type { SpecEntry } from './source.ts';

/** A page that an entry has by its specification. */
export interface PlannedPage {
  readonly key: string;
  /** The key of the page above it. */
  readonly parent?: string | undefined;
  readonly title: string;
  readonly slug: string;
  readonly description?: string | undefined;
  readonly icon?: string | undefined;
  readonly parts: readonly GeneratedPart[];
}

/** Limit of tags plus operations, an operation counted once for each of its tags. More pages make a space slow to read. */
const MAX_SHOWN = 20_000;
/** More operations or models have a page for each of them, whatever the entry says: a page must stay readable. */
export const MAX_ON_PAGE = 100;
const MAX_DESCRIPTION = 300;
const MAX_ICON = 50;
/** Enough to contain the first paragraph. */
const MAX_READ = 4000;
/** Of the description of a tag: a page has at most 2 MB. */
const MAX_TEXT = 200_000;

type Operation = ApiOperation & { readonly key: string };

/** The id of a page by its key. Undefined: a user has deleted it. */
type IdOf = (key: string) => string | undefined;

/**
 * The page that an entry has instead of others if they would be too many: all or none are shown. Undefined: they are not.
 */
export function planRefusal({ spec }: SpecEntry, { tags, operations }: ApiOutline): PlannedPage | undefined {
  let count = tags.length;
  for (const operation of operations) count += Math.max(1, new Set(operation.tags).size);
  if (count <= MAX_SHOWN) return undefined;
  const [has, most] = [count, MAX_SHOWN].map((each) => each.toLocaleString('en'));
  const reason =
    `The specification \`${spec}\` has ${has} tags and operations in tags. Pages are made of specifications with up to ` +
    `${most}. Divide it into several specifications, or give operations fewer tags.`;
  const text = `{% hint style="warning" %}\n${reason}\n{% endhint %}`;
  return { key: 'refusal', title: titleFrom(spec), slug: slugOf(spec), parts: [['refusal', text]] };
}

/** The pages of an entry in their order, each after the one above it. */
export function planPages(entry: SpecEntry, outline: ApiOutline, idOf: IdOf): readonly PlannedPage[] {
  const operations = withKeys(outline.operations);
  const byTag = new Map<string, Operation[]>();
  for (const operation of operations)
    for (const tag of new Set(operation.tags.length > 0 ? operation.tags : [UNTAGGED]))
      addToList(byTag, tag, operation);
  const pages: PlannedPage[] = [];
  const placed = new Set<string>();
  for (const tag of tagsInOrder(outline.tags, byTag)) {
    const all = byTag.get(tag.name) ?? [];
    const isDivided = entry.byOperation || all.length > MAX_ON_PAGE;
    const own = isDivided ? all.filter(({ key }) => !placed.has(key)) : [];
    for (const { key } of own) placed.add(key);
    const below = own.map((operation) => pageOf(entry, operation, keyOfTag(tag.name)));
    if (tag.name !== UNTAGGED || !isDivided)
      pages.push(pageOfTag(entry, tag, isDivided ? { links: all, idOf } : { blocks: all }));
    pages.push(...below);
  }
  if (entry.models && outline.schemas.length > 0) pages.push(...pagesOfModels(entry, outline.schemas, idOf));
  return pages;
}

const UNTAGGED = '';
const keyOfTag = (name: string): string => `tag ${name}`;

/** Keeps the pages of an operation while its operationId stays, wherever it moves. */
function withKeys(operations: readonly ApiOperation[]): Operation[] {
  const taken = new Set<string>();
  return operations.flatMap((operation) => {
    const { kind, method, path, operationId } = operation;
    const keys = [`${kind} ${method.toLowerCase()} ${path}`];
    if (operationId !== undefined && operationId !== '') keys.unshift(`operation ${operationId}`);
    const key = keys.find((each) => !taken.has(each));
    if (key === undefined) return [];
    taken.add(key);
    return [{ ...operation, key }];
  });
}

/** Tags with a page: each after the one above it, those that are not declared at the end. */
function tagsInOrder(declared: readonly ApiTag[], byTag: ReadonlyMap<string, unknown>): ApiTag[] {
  const tags = new Map<string, ApiTag>();
  for (const tag of declared) if (!tags.has(tag.name)) tags.set(tag.name, tag);
  for (const name of byTag.keys())
    if (!tags.has(name)) tags.set(name, name === UNTAGGED ? { name, title: 'Default' } : { name });
  const below = new Map<string, ApiTag[]>();
  for (const tag of tags.values()) addToList(below, parentIn(tags, tag) ?? UNTAGGED, tag);
  const hasPage = ({ name, description }: ApiTag): boolean =>
    byTag.has(name) || (description ?? '') !== '' || (below.get(name) ?? []).some(hasPage);
  const listed = (all: readonly ApiTag[], parent: string | undefined): ApiTag[] =>
    all.filter(hasPage).flatMap((tag) => [{ ...tag, parent }, ...listed(belowOf(tag), tag.name)]);
  // Tags without a name have nothing below them: that is where the others are listed.
  const belowOf = ({ name }: ApiTag) => (name === UNTAGGED ? [] : (below.get(name) ?? []));
  return listed(below.get(UNTAGGED) ?? [], undefined);
}

const MAX_NESTING = 8;

/** The name of the tag above. Undefined: there is none, or they are above each other. */
function parentIn(tags: ReadonlyMap<string, ApiTag>, { name, parent }: ApiTag): string | undefined {
  let above = parent;
  for (let depth = 0; above !== undefined && above !== UNTAGGED; depth++) {
    const tag = tags.get(above);
    if (tag === undefined || above === name || depth === MAX_NESTING) return undefined;
    above = tag.parent;
  }
  return parent === UNTAGGED ? undefined : parent;
}

type Shown =
  | { readonly blocks: readonly Operation[] }
  | { readonly links: readonly Operation[]; readonly idOf: IdOf };

function pageOfTag(entry: SpecEntry, { name, ...tag }: ApiTag, shown: Shown): PlannedPage {
  const text = (tag.description ?? '').trim().slice(0, MAX_TEXT);
  const parts: GeneratedPart[] = text === '' ? [] : [['description', text]];
  if ('blocks' in shown)
    for (const operation of shown.blocks)
      // The heading is for the outline of the page, for links, and for searches.
      parts.push([operation.key, `## ${headingText(titleOf(operation))}\n\n${blockOf(entry, operation)}`]);
  // Readers of a page without a text need a way on.
  else if (text === '' && shown.links.length > 0)
    parts.push([
      'links',
      linesTo(
        shown.links.map((each) => ({ key: each.key, title: titleOf(each) })),
        shown.idOf,
      ),
    ]);
  return {
    key: keyOfTag(name),
    ...(tag.parent === undefined ? {} : { parent: keyOfTag(tag.parent) }),
    title: titleFrom(tag.title, name),
    slug: slugOf(tag.slug ?? name) || slugOf(tag.title ?? ''),
    description: tag.summary === undefined ? undefined : paragraphOf(tag.summary),
    icon: tag.icon !== undefined && tag.icon.length <= MAX_ICON ? tag.icon || undefined : undefined,
    parts,
  };
}

function pageOf(entry: SpecEntry, operation: Operation, parent: string): PlannedPage {
  const { key, operationId, description } = operation;
  const words = operationId?.replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1-$2');
  return {
    key,
    ...(parent === keyOfTag(UNTAGGED) ? {} : { parent }),
    title: titleOf(operation),
    slug: slugOf(words ?? '') || slugOf(nameOf(operation)),
    description: description === undefined ? undefined : paragraphOf(description),
    parts: [[key, blockOf(entry, operation)]],
  };
}

function pagesOfModels(entry: SpecEntry, schemas: readonly string[], idOf: IdOf): PlannedPage[] {
  const page = { key: 'models', title: 'Models', slug: 'models' };
  if (schemas.length <= MAX_ON_PAGE) return [{ ...page, parts: [['schemas', schemasBlock(entry, schemas)]] }];
  const below = schemas.map((name): PlannedPage => {
    return {
      key: `model ${name}`,
      parent: page.key,
      title: titleFrom(name),
      slug: slugOf(name),
      parts: [['schemas', schemasBlock(entry, [name])]],
    };
  });
  return [{ ...page, parts: [['links', linesTo(below, idOf)]] }, ...below];
}

const nameOf = ({ kind, method, path }: ApiOperation): string =>
  kind === 'webhook' ? path : `${method.toUpperCase()} ${path}`;

const titleOf = (operation: ApiOperation): string => titleFrom(operation.title, nameOf(operation));

const titleFrom = (...candidates: readonly (string | undefined)[]): string => {
  for (const text of candidates) {
    const title = cleanTitle((text ?? '').slice(0, MAX_DESCRIPTION));
    if (title !== undefined) return title;
  }
  return 'Untitled';
};

/** The first paragraph of Markdown, as text. */
function paragraphOf(markdown: string): string | undefined {
  const text = markdown.slice(0, MAX_READ);
  return text.trim() === '' ? undefined : summaryOf(parseDocument(text), MAX_DESCRIPTION);
}

/** Escaped, on one line. */
const headingText = (title: string): string => updateTitle('', title).slice('# '.length).trimEnd();

/** A list of links, without deleted pages. */
const linesTo = (pages: readonly Pick<PlannedPage, 'key' | 'title'>[], idOf: IdOf): string =>
  pages
    .flatMap(({ key, title }) => {
      const page = idOf(key);
      return page === undefined ? [] : `* [${headingText(title)}](${defaultHref({ kind: 'page', page })})`;
    })
    .join('\n');

function blockOf({ spec }: SpecEntry, { kind, path, method }: ApiOperation): string {
  const ref = { kind: 'openapi', spec } as const;
  const common = { object: 'block', key: 'k', isVoid: true } as const;
  return kind === 'operation'
    ? markdownOf({ ...common, type: 'openapi-operation', data: { ref, path, method: method.toLowerCase() } })
    : markdownOf({
        ...common,
        type: 'openapi-webhook',
        data: { ref, name: path, method: method.toLowerCase() },
      });
}

const schemasBlock = ({ spec }: SpecEntry, schemas: readonly string[]): string =>
  markdownOf({
    object: 'block',
    type: 'openapi-schemas',
    key: 'k',
    data: { ref: { kind: 'openapi', spec }, schemas: [...schemas], grouped: true },
    isVoid: true,
  });

const markdownOf = (block: BlockNode): string => toMarkdown(documentOfBlocks([block])).trim();
