import { sizeOfText, type Size } from '../../../content-engine/size-of-text.ts';
import { readSentDocument, type JSONDocument, type Resolve } from '../../../content-engine/document/index.ts';
import type { FileParts } from '../../../content-engine/folder/index.ts';
import type { Hash } from '../../../content-engine/map/index.ts';
import { hrefOf, resolverOf } from '../../../content-engine/links/index.ts';
import { editMarkdown, toMarkdown, type Warning } from '../../../content-engine/markdown/index.ts';
import type { PageFields } from '../../../content-engine/tree/index.ts';
import { badRequest } from '../../../platform/api/errors.ts';
import { isUnstorable, STORABLE } from '../../../platform/api/value-checks.ts';
import {
  addText,
  findWithBody,
  readBody,
  readText,
  runTask,
  type WithBody,
} from '../../content-store/index.ts';
import { withCurrentLinks } from '../../revisions/index.ts';
import type { BatchContext } from './batch-context.ts';
import type { Body, Change } from './batch.ts';
import { describeBody, describePath } from './change-path.ts';
import { readReplacement, requireBodySize, warnOfHead, type SentSource } from './source-file.ts';

/** A warning about a change, by the index of the change. */
export interface ChangeWarning {
  readonly index: number;
  readonly warning: Warning;
}

/** The frontmatter and the title line that were sent before a body. */
export interface Head extends FileParts {
  /** The index of the change. */
  readonly index: number;
}

/** The hash of a body, and the fields that its head sets. */
type SentFields = PageFields & { readonly document: Hash };

/** The bodies of the changes of a batch, as Markdown. Later changes of the batch see the bodies of earlier ones. */
export class SentBodies {
  readonly warnings: ChangeWarning[] = [];
  /** Heads by the id of the page or reusable content. */
  readonly heads = new Map<string, Head>();
  readonly #context: BatchContext;
  readonly #changes: readonly Change[];
  readonly #texts = new Map<string, string>();

  constructor(context: BatchContext, changes: readonly Change[]) {
    this.#context = context;
    this.#changes = changes;
  }

  /** A new page or reusable content may be sent as a whole source file. A document is always a body. */
  async readNew(
    index: number,
    id: string,
    body: Body = {},
    read: (markdown: string) => SentSource,
  ): Promise<SentFields> {
    const { document } = body;
    const markdown = document ? this.#write(index, document) : (body.markdown ?? '');
    requireBodySize(markdown, this.#describe(index));
    return document ? this.add(id, markdown) : this.#addSource(index, id, read(markdown));
  }

  /** A body that is sent back as it was read changes nothing. */
  async readForPage(index: number, id: string, body: Body): Promise<SentFields> {
    const markdown = await this.#read(index, id, body);
    if (body.markdown === undefined) return this.add(id, markdown);
    const title = findWithBody(this.#context.tree, id)?.title ?? '';
    const replacement = readReplacement(markdown, { body: await this.#currentText(id), title });
    return replacement ? this.#addSource(index, id, replacement) : this.add(id, markdown);
  }

  async readForReusableContent(index: number, id: string, body: Body): Promise<SentFields> {
    const markdown = await this.#read(index, id, body);
    const warning = body.markdown?.startsWith('---') && warnOfHead(await this.textOf(id), markdown);
    if (warning) this.warnings.push({ index, warning });
    return this.add(id, markdown);
  }

  /** The text of a body as the changes so far leave it, its links as they were written. */
  async textOf(id: string): Promise<string> {
    const record = findWithBody(this.#context.tree, id);
    return this.#texts.get(id) ?? (record ? await readText(this.#context.load, record.document) : '');
  }

  add(id: string, text: string): { readonly document: Hash } {
    this.#texts.set(id, text);
    return { document: addText(this.#context.texts, text) };
  }

  #addSource(index: number, id: string, { pieces, fields, warnings }: SentSource): SentFields {
    for (const warning of warnings) this.warnings.push({ index, warning });
    this.heads.set(id, { ...pieces, index });
    return { ...fields, ...this.add(id, pieces.body) };
  }

  async #read(index: number, id: string, body: Body): Promise<string> {
    const { document } = body;
    const markdown = document ? await this.#edit(index, id, document) : (body.markdown ?? '');
    requireBodySize(markdown, this.#describe(index));
    return markdown;
  }

  #write(index: number, document: object): string {
    return this.#writeDocument(index, document, sizeOfText(''), (read) => toMarkdown(read, { hrefOf }));
  }

  /** Rewrites only the blocks in which the document differs from the body that it replaces. */
  async #edit(index: number, id: string, document: object): Promise<string> {
    const record = findWithBody(this.#context.tree, id);
    const edit = (text: string, resolve: Resolve) => {
      const written = this.#writeDocument(index, document, sizeOfText(text), (read) =>
        editMarkdown(text, read, { resolve, hrefOf }),
      );
      return withLineEndsOf(record, text, written);
    };
    const known = this.#texts.get(id);
    if (known !== undefined) return edit(known, () => undefined);
    if (!record) return this.#write(index, document);
    const body = await this.#currentBody(record);
    return edit(body.text, resolverOf(this.#context.tree, record.id, body.links));
  }

  #writeDocument(
    index: number,
    document: object,
    size: Size,
    textOf: (document: JSONDocument) => string,
  ): string {
    const work = { size, what: this.#describeDocument(index) };
    const written = runTask(this.#context, work, () => {
      const read = readSentDocument(document);
      return 'problem' in read ? read : { text: textOf(read.document) };
    });
    if ('text' in written && !isUnstorable(written.text)) return written.text;
    const { path, rule } = 'problem' in written ? written.problem : { path: '', rule: STORABLE };
    throw badRequest(`${this.#describeDocument(index, path)}: ${rule}.`, [
      { path: placeOf(index) + path, rule },
    ]);
  }

  #describeDocument(index: number, path = ''): string {
    return describePath(placeOf(index) + path, this.#changes[index]);
  }

  /** The text as reads return it, with the current hrefs of its links. */
  async #currentText(id: string): Promise<string> {
    const record = findWithBody(this.#context.tree, id);
    return this.#texts.get(id) ?? (record ? (await this.#currentBody(record)).text : '');
  }

  async #currentBody(record: WithBody) {
    const body = await readBody(this.#context.load, record);
    return { ...body, text: withCurrentLinks(this.#context, record, body) };
  }

  #describe(index: number): string {
    return describeBody(this.#changes, index);
  }
}

const placeOf = (index: number): string => `body.changes.${index}.document.document`;

/** A body without line ends gets those of the title line or the frontmatter before it. */
function withLineEndsOf(record: WithBody | undefined, before: string, edited: string): string {
  const { titleLine, frontmatter } = record?.source ?? {};
  const isCrlf = [titleLine, frontmatter].some((part) => typeof part === 'string' && part.includes('\r\n'));
  return isCrlf && !/[\r\n]/.test(before) ? edited.replaceAll('\n', '\r\n') : edited;
}
