import type { Targets } from '../../content-engine/tasks.ts';
import type { Pieces } from '../../content-engine/layout/index.ts';
import type { Warning } from '../../content-engine/markdown/index.ts';
import {
  findPage,
  findReusableContent,
  type Change as EngineChange,
  type DocumentPage,
  type PageFields,
  type ReusableContentRecord,
  type Tree,
} from '../../content-engine/tree/index.ts';
import { newId } from '../../platform/ids.ts';
import type { Body, Change } from './batch.ts';
import { readBody as readStoredBody } from './bodies.ts';
import { readText } from './objects.ts';
import { readNewInclude, readNewPage, warnOfHead, type NewSource } from './new-source.ts';
import { targetsOf, withCurrentLinks } from './render.ts';
import { sentDocument, type SentDocument } from './sent-document.ts';
import { requireSize } from './size.ts';
import { revertTo } from './revert.ts';
import type { Drafting } from './drafting.ts';

/** An entry that is new, as far as its body is concerned. */
interface Insert {
  readonly document?: Body;
  readonly title?: string;
  readonly cover?: object | null;
}

/** What stood before the body of something new. */
export interface Head extends Pieces {
  /** Of the change. */
  readonly index: number;
  /** Where another cover was given, the one of the frontmatter does not count. */
  readonly setsCover: boolean;
}

export interface Draft {
  readonly changes: readonly EngineChange[];
  /** By the index of the change: what was kept but not understood. */
  readonly warnings: readonly { readonly index: number; readonly warning: Warning }[];
  /** By the id of what is new: what it was sent as, for what stands before its body. */
  readonly heads: ReadonlyMap<string, Head>;
}

const placeOf = (index: number): string => `body.changes.${index}.document`;

export async function draftOf(drafting: Drafting, changes: readonly Change[]): Promise<Draft> {
  const drafted: EngineChange[] = [];
  const warnings: { index: number; warning: Warning }[] = [];
  const heads = new Map<string, Head>();
  const bodies = new Map<string, string>();
  let filesUsed = 0;

  /** What replaces a body is the body, whatever it begins with: sent back as it was read, it changes nothing. */
  async function readBody(index: number, name: string, body: Body): Promise<{ document: string }> {
    const sent = sentIn(index, body);
    const markdown = body.markdown ?? (await markdownOf(index, name, sent));
    requireSize(markdown, index);
    const warning = body.markdown?.startsWith('---') && warnOfHead(await textOf(name), markdown);
    if (warning) warnings.push({ index, warning });
    return keepBody(name, markdown);
  }

  /** Something new may be sent as a whole source file. A document is a body always. */
  async function readNew(
    index: number,
    id: string,
    { document: body = {}, title, cover }: Insert,
    read: (markdown: string, title: string | undefined) => NewSource,
  ): Promise<PageFields & { document: string }> {
    const sent = sentIn(index, body);
    const written = sent && (await writeBody(index, sent));
    requireSize(written ?? body.markdown ?? '', index);
    if (written !== undefined) return keepBody(id, written);
    const { pieces, fields, warnings: found } = read(body.markdown ?? '', title);
    for (const warning of found) warnings.push({ index, warning });
    heads.set(id, { ...pieces, index, setsCover: cover === undefined });
    return { ...fields, ...keepBody(id, pieces.body) };
  }

  function keepBody(name: string, body: string): { document: string } {
    bodies.set(name, body);
    return { document: drafting.texts.add(body) };
  }

  const sentIn = (index: number, { document }: Body) =>
    document && sentDocument(document, `${placeOf(index)}.document`);

  async function textOf(name: string): Promise<string> {
    const record = ownerOf(drafting.tree, name);
    return bodies.get(name) ?? (record ? await readText(drafting.load, record.document) : '');
  }

  const writeBody = (index: number, { document, size }: SentDocument): Promise<string> =>
    drafting.engine.run('writeBody', document, { size, what: placeOf(index) });

  /** Of a document that replaces another, only the blocks that differ are written anew. */
  async function markdownOf(index: number, name: string, sent: SentDocument | undefined): Promise<string> {
    if (sent === undefined) return '';
    const edit = (text: string, targets: Targets) => {
      const work = { size: text.length + sent.size, what: placeOf(index) };
      return drafting.engine.run('editBody', { text, document: sent.document, targets }, work);
    };
    const known = bodies.get(name);
    if (known !== undefined) return edit(known, new Map());
    const record = ownerOf(drafting.tree, name);
    if (!record) return writeBody(index, sent);
    const body = await readStoredBody(drafting.load, record);
    const text = await withCurrentLinks(drafting, record, body);
    return edit(text, await targetsOf(drafting, record, { ...body, text }));
  }

  async function draft(index: number, change: Change): Promise<EngineChange> {
    switch (change.operation) {
      case 'insert_page': {
        const { document, ...fields } = change;
        const id = newId();
        const isDocument = (change.type ?? 'document') === 'document';
        const read = isDocument
          ? await readNew(index, id, change, readNewPage)
          : document
            ? { document: '' }
            : {};
        return { ...read, ...fields, id } as EngineChange;
      }
      case 'update_page':
      case 'update_reusable_content': {
        const { document, ifMatch: _ifMatch, ...fields } = change;
        const name = 'page' in change ? change.page : change.reusableContent;
        const read = document ? await readBody(index, name, document) : {};
        return { ...read, ...fields } as EngineChange;
      }
      case 'insert_reusable_content': {
        const { document: _document, ...fields } = change;
        const id = newId();
        const read = await readNew(index, id, change, readNewInclude);
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
