import { membersOf } from '../../content-engine/layout/index.ts';
import {
  editMarkdown,
  splitSource,
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
import { sentDocument } from './sent-document.ts';
import { revertTo } from './revert.ts';
import type { Drafting } from './drafting.ts';

/** The pieces of a source file beside its body, as somebody sent them. */
export interface Pieces {
  readonly frontmatter?: string;
  readonly titleLine?: string;
}

export interface Draft {
  readonly changes: readonly EngineChange[];
  /** By the index of the change: what was kept but not understood. */
  readonly warnings: readonly { readonly index: number; readonly warning: Warning }[];
  /** Frontmatter and title lines to keep, by the id or `ref` of the page. */
  readonly pieces: ReadonlyMap<string, Pieces>;
}

export async function draftOf(drafting: Drafting, changes: readonly Change[]): Promise<Draft> {
  const drafted: EngineChange[] = [];
  const warnings: { index: number; warning: Warning }[] = [];
  const pieces = new Map<string, Pieces>();
  const bodies = new Map<string, string>();
  let filesUsed = 0;

  /** A body that was sent: its text under its hash, and the fields that stand before it. */
  function readSource(index: number, name: string, markdown: string): PageFields & { document: string } {
    requireSize(markdown, index);
    const source = splitSource(markdown);
    for (const warning of source.warnings) warnings.push({ index, warning });
    if (source.frontmatter !== '' || source.title !== '') {
      pieces.set(name, { frontmatter: source.frontmatter, titleLine: source.title });
    }
    bodies.set(name, source.body);
    const title = source.titleText ?? source.fields.title;
    return {
      ...membersOf(source.fields, (message) =>
        warnings.push({
          index,
          warning: { kind: 'frontmatter', message, start: 0, end: source.frontmatter.length },
        }),
      ),
      ...(title ? { title } : {}),
      document: drafting.texts.add(source.body),
    };
  }

  async function readBody(index: number, name: string, body: Body) {
    const document = body.document && sentDocument(body.document, `body.changes.${index}.document.document`);
    return readSource(index, name, body.markdown ?? (await markdownOf(name, document)));
  }

  /** Of a document that replaces another, only the blocks that differ are written anew. */
  async function markdownOf(name: string, document: JSONDocument | undefined): Promise<string> {
    if (document === undefined) return '';
    const known = bodies.get(name);
    if (known !== undefined) return editMarkdown(known, document, { hrefOf });
    const record = ownerOf(drafting.tree, name);
    if (!record) return toMarkdown(document, { hrefOf });
    const text = await readText(drafting.load, record.document);
    const links = record.links ? await readInline<LinkTable>(drafting.load, record.links) : {};
    const current = withCurrentLinks(drafting.tree, record.id, { text, links });
    const resolve = resolverOf(drafting.tree, record.id, links);
    return editMarkdown(current, document, { resolve, hrefOf });
  }

  async function draft(index: number, change: Change): Promise<EngineChange> {
    switch (change.operation) {
      case 'insert_page': {
        const { document, ...fields } = change;
        const id = newId();
        const isDocument = (change.type ?? 'document') === 'document';
        const read = isDocument
          ? await readBody(index, id, document ?? {})
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
        return { ...('page' in change ? read : withoutFields(read)), ...fields } as EngineChange;
      }
      case 'insert_reusable_content': {
        const { document, ...fields } = change;
        const id = newId();
        return {
          title: 'Untitled',
          ...withoutFields(await readBody(index, id, document)),
          ...fields,
          id,
        } as EngineChange;
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
        return revertTo(drafting, change, index);
      default: {
        const { ifMatch: _ifMatch, ...rest } = change as Change & { ifMatch?: string };
        return rest as EngineChange;
      }
    }
  }

  for (const [index, change] of changes.entries()) drafted.push(await draft(index, change));
  return { changes: drafted, warnings, pieces };
}

/** A reusable content has a title and a body; what else stands before it is kept as text. */
const withoutFields = ({ title, document }: { title?: string; document?: string }) => ({
  ...(title === undefined ? {} : { title }),
  ...(document === undefined ? {} : { document }),
});

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
