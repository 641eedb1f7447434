import { setImmediate as turn } from 'node:timers/promises';
import { BookTooLong, typesetBook } from '../../content-engine/typst/index.ts';
import type { Context } from '../../platform/context.ts';
import { tooLarge, unavailable } from '../../platform/errors.ts';
import { PdfError } from '../../platform/pdf/index.ts';
import { storeBytes, type ContentRow } from '../content/index.ts';
import { bookOf } from './book.ts';
import { pdfPath } from './page.ts';
import { findPdf, getHeading, putPdf, type Heading, type PdfKey } from './store.ts';

/** Being made in this process: whoever asks meanwhile waits for the same. */
const inTheMaking = new Map<string, Promise<string>>();

/** Where the document of a revision can be got for an hour. Made when it is first asked for, then kept for a day. */
export async function pdfOf(
  ctx: Context,
  row: ContentRow,
  asked: { readonly page?: string | undefined; readonly only?: boolean | undefined },
): Promise<{ url: string }> {
  const key: PdfKey = {
    spaceId: row.space_id,
    revisionId: row.revision_id,
    pageId: asked.page ?? '',
    withBelow: !(asked.only && asked.page !== undefined),
  };
  const there = await findPdf(ctx.db, key);
  const hash = there?.hash ?? (await madeOnce(ctx, row, key, await getHeading(ctx.db, row.space_id)));
  return { url: ctx.addresses.of(pdfPath(ctx.keys, ctx.now(), row.space_id, hash)) };
}

function madeOnce(ctx: Context, row: ContentRow, key: PdfKey, heading: Heading): Promise<string> {
  const name = JSON.stringify([key, heading]);
  const making =
    inTheMaking.get(name) ?? make(ctx, row, key, heading).finally(() => inTheMaking.delete(name));
  inTheMaking.set(name, making);
  return making;
}

async function make(ctx: Context, row: ContentRow, key: PdfKey, heading: Heading): Promise<string> {
  try {
    const bytes = await ctx.pdf.compile(async () => typesetBook(await bookOf(ctx, row, key, heading), turn));
    const { hash, size } = await storeBytes(ctx, row.store_id, 'document.pdf', bytes);
    await putPdf(ctx.db, key, heading, hash, size);
    return hash;
  } catch (error) {
    if (error instanceof BookTooLong)
      throw tooLarge('This would be too long for one document. Ask for a part of it: `page`, with `only`.');
    if (error instanceof PdfError && error.reason !== 'failed')
      throw unavailable('The document could not be made in time. Try again in a moment.', error);
    throw error;
  }
}
