import type { Pieces } from '../../content-engine/layout/index.ts';
import {
  editMarkdown,
  toMarkdown,
  type JSONDocument,
  type Warning,
} from '../../content-engine/markdown/index.ts';
import { resolverOf } from '../../content-engine/links/index.ts';
import {
  findPage,
  findReusableContent,
  type Change as EngineChange,
  type DocumentPage,
  type LinkTable,
  type PageFields,
  type ReusableContentRecord,
  type Tree,
} from '../../content-engine/tree/index.ts';
import { tooLarge } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { MAX_SOURCE, type Body, type Change } from './batch.ts';
import { hrefOf, withCurrentLinks } from './bodies.ts';
import { readInline, readText } from './objects.ts';
import { readNewInclude, readReplacement, readSentPage, warnOfHead, type SentSource } from './new-source.ts';
import { sentDocument } from './sent-document.ts';
import { revertTo } from './revert.ts';
import type { Drafting } from './drafting.ts';

/** An entry that is new, as far as its body is concerned. */
interface Insert {
  readonly document?: Body;
}

/** What stood before a body that was sent. */
export interface Head extends Pieces {
  /** Of the change. */
  readonly index: number;
}

/** A body that was kept, and the fields that its head sets. */
type SentFields = PageFields & { readonly document: string };

export interface Draft {
  readonly changes: readonly EngineChange[];
  /** By the index of the change: what was kept but not understood. */
  readonly warnings: readonly { readonly index: number; readonly warning: Warning }[];
  /** By the id of the entry: what it was sent as, for what stands before its body. */
  readonly heads: ReadonlyMap<string, Head>;
}

export async function draftOf(drafting: Drafting, changes: readonly Change[]): Promise<Draft> {
  const drafted: EngineChange[] = [];
  const warnings: { index: number; warning: Warning }[] = [];
  const heads = new Map<string, Head>();
  const bodies = new Map<string, string>();
  const refs = new Map<string, string>();
  const idOf = (name: string): string => refs.get(name) ?? name;
  let filesUsed = 0;

  async function readMarkdown(index: number, id: string, body: Body): Promise<string> {
    const markdown = body.markdown ?? (await markdownOf(id, sentIn(index, body)));
    requireSize(markdown, index);
    return markdown;
  }

  /** What replaces the body of a page: sent back as it was read, it changes nothing. */
  async function readPageBody(index: number, id: string, body: Body): Promise<SentFields> {
    const markdown = await readMarkdown(index, id, body);
    const { title = '' } = ownerOf(drafting.tree, id) ?? {};
    const replacement =
      body.markdown === undefined
        ? undefined
        : readReplacement(markdown, { body: await currentText(id), title });
    return replacement ? keepSource(index, id, replacement) : keepBody(id, markdown);
  }

  async function readSharedBody(index: number, id: string, body: Body): Promise<SentFields> {
    const markdown = await readMarkdown(index, id, body);
    const warning = body.markdown?.startsWith('---') && warnOfHead(await textOf(id), markdown);
    if (warning) warnings.push({ index, warning });
    return keepBody(id, markdown);
  }

  /** Something new may be sent as a whole source file. A document is a body always. */
  function readNew(
    index: number,
    id: string,
    { document: body = {} }: Insert,
    read: (markdown: string) => SentSource,
  ): SentFields {
    const sent = sentIn(index, body);
    const written = sent && toMarkdown(sent, { hrefOf });
    requireSize(written ?? body.markdown ?? '', index);
    if (written !== undefined) return keepBody(id, written);
    return keepSource(index, id, read(body.markdown ?? ''));
  }

  function keepSource(
    index: number,
    id: string,
    { pieces, fields, warnings: found }: SentSource,
  ): SentFields {
    for (const warning of found) warnings.push({ index, warning });
    heads.set(id, { ...pieces, index });
    return { ...fields, ...keepBody(id, pieces.body) };
  }

  function keepBody(name: string, body: string): { document: string } {
    bodies.set(name, body);
    return { document: drafting.texts.add(body) };
  }

  const sentIn = (index: number, { document }: Body) =>
    document && sentDocument(document, `body.changes.${index}.document.document`);

  /** The body as its readers have it. */
  async function currentText(id: string): Promise<string> {
    const known = bodies.get(id);
    const record = ownerOf(drafting.tree, id);
    return known ?? (record ? (await currentBody(record)).text : '');
  }

  async function currentBody(record: DocumentPage | ReusableContentRecord) {
    const text = await readText(drafting.load, record.document);
    const links = record.links ? await readInline<LinkTable>(drafting.load, record.links) : {};
    return { text: withCurrentLinks(drafting.tree, record.id, { text, links }), links };
  }

  async function textOf(name: string): Promise<string> {
    const record = ownerOf(drafting.tree, name);
    return bodies.get(name) ?? (record ? await readText(drafting.load, record.document) : '');
  }

  /** Of a document that replaces another, only the blocks that differ are written anew. */
  async function markdownOf(name: string, document: JSONDocument | undefined): Promise<string> {
    if (document === undefined) return '';
    const known = bodies.get(name);
    if (known !== undefined) return editMarkdown(known, document, { hrefOf });
    const record = ownerOf(drafting.tree, name);
    if (!record) return toMarkdown(document, { hrefOf });
    const { text, links } = await currentBody(record);
    const resolve = resolverOf(drafting.tree, record.id, links);
    return editMarkdown(text, document, { resolve, hrefOf });
  }

  async function draft(index: number, change: Change): Promise<EngineChange> {
    switch (change.operation) {
      case 'insert_page': {
        const { document, ...fields } = change;
        const id = newId();
        const isDocument = (change.type ?? 'document') === 'document';
        const read = isDocument ? readNew(index, id, change, readSentPage) : document ? { document: '' } : {};
        if (change.ref !== undefined) refs.set(change.ref, id);
        return { ...fields, ...read, id } as EngineChange;
      }
      case 'update_page': {
        const { document, ifMatch: _ifMatch, ...fields } = change;
        const read = document ? await readPageBody(index, idOf(change.page), document) : {};
        return { ...fields, ...read } as EngineChange;
      }
      case 'update_reusable_content': {
        const { document, ifMatch: _ifMatch, ...fields } = change;
        const read = document ? await readSharedBody(index, idOf(change.reusableContent), document) : {};
        return { ...fields, ...read } as EngineChange;
      }
      case 'insert_reusable_content': {
        const { document: _document, ...fields } = change;
        const id = newId();
        const read = readNew(index, id, change, readNewInclude);
        if (change.ref !== undefined) refs.set(change.ref, id);
        return { title: 'Untitled', ...read, ...fields, id } as EngineChange;
      }
      case 'insert_files':
        return {
          operation: change.operation,
          files: change.files.map(({ name, ref }) => {
            const stored = drafting.files[filesUsed++];
            if (!stored) throw new Error('a file of the batch was not stored before it');
            return { id: newId(), name, ...stored, ...(ref === undefined ? {} : { ref }) };
          }),
        };
      case 'revert_page':
        return revertTo(drafting, change, index, { textOf, keepBody });
      default: {
        const { ifMatch: _ifMatch, ...rest } = change as Change & { ifMatch?: string };
        return rest as EngineChange;
      }
    }
  }

  for (const [index, change] of changes.entries()) drafted.push(await draft(index, change));
  return { changes: drafted, warnings, heads };
}

export function ownerOf(tree: Tree, id: string): DocumentPage | ReusableContentRecord | undefined {
  const page = findPage(tree, id);
  return page?.type === 'document' ? page : findReusableContent(tree, id);
}

function requireSize(markdown: string, index: number): void {
  if (Buffer.byteLength(markdown) > MAX_SOURCE) {
    throw tooLarge(
      `body.changes.${index}.document: a page has at most ${MAX_SOURCE / 1024 / 1024} MB of Markdown.`,
    );
  }
}
