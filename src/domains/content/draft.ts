import type { Targets } from '../../content-engine/tasks.ts';
import type { FileParts } from '../../content-engine/folder/index.ts';
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
import { newId } from '../../platform/api/ids.ts';
import type { Body, Change } from './batch.ts';
import { readBody as readStoredBody, type WithBody } from './bodies.ts';
import { readText } from './objects.ts';
import { describeBody, describePlace } from './place.ts';
import { readNewInclude, readReplacement, readSentPage, warnOfHead, type SentSource } from './new-source.ts';
import { targetsOf, withCurrentLinks } from './render.ts';
import { sentDocument, type SentDocument } from './sent-document.ts';
import { requireSize } from './size.ts';
import { revertTo } from './revert.ts';
import type { Drafting } from './drafting.ts';

/** An entry that is new, as far as its body is concerned. */
interface Insert {
  readonly document?: Body;
}

/** What stood before a body that was sent. */
export interface Head extends FileParts {
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
  const placeOf = (index: number): string => describeBody(changes, index);
  let filesUsed = 0;

  async function readMarkdown(index: number, id: string, body: Body): Promise<string> {
    const markdown = body.markdown ?? (await markdownOf(index, id, sentIn(index, body)));
    requireSize(markdown, placeOf(index));
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
  async function readNew(
    index: number,
    id: string,
    { document: body = {} }: Insert,
    read: (markdown: string) => SentSource,
  ): Promise<SentFields> {
    const sent = sentIn(index, body);
    const written = sent && (await writeBody(index, sent));
    requireSize(written ?? body.markdown ?? '', placeOf(index));
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
    document &&
    sentDocument(document, `body.changes.${index}.document.document`, (path) =>
      describePlace(path, changes[index]),
    );

  /** The body as its readers have it. */
  async function currentText(id: string): Promise<string> {
    const known = bodies.get(id);
    const record = ownerOf(drafting.tree, id);
    return known ?? (record ? (await currentBody(record)).text : '');
  }

  async function currentBody(record: WithBody) {
    const body = await readStoredBody(drafting.load, record);
    return { ...body, text: await withCurrentLinks(drafting, record, body) };
  }

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
    const body = await currentBody(record);
    return edit(body.text, await targetsOf(drafting, record, body));
  }

  async function draft(index: number, change: Change): Promise<EngineChange> {
    switch (change.operation) {
      case 'insert_page': {
        const { document, ...fields } = change;
        const id = newId();
        const isDocument = (change.type ?? 'document') === 'document';
        const read = isDocument
          ? await readNew(index, id, change, readSentPage)
          : document
            ? { document: '' }
            : {};
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
        const read = await readNew(index, id, change, readNewInclude);
        if (change.ref !== undefined) refs.set(change.ref, id);
        return { title: 'Untitled', ...read, ...fields, id } as EngineChange;
      }
      case 'insert_files':
        return {
          operation: change.operation,
          files: change.files.map(({ name, ref }) => {
            const stored = drafting.files[filesUsed++];
            if (!stored) throw new Error('a file of the batch was not stored beforehand');
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
