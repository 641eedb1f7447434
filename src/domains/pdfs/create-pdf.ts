import { findPage } from '../../content-engine/tree/index.ts';
import type { Context } from '../../platform/api/context.ts';
import { notFound, tooLarge, unavailable, unprocessable } from '../../platform/api/errors.ts';
import { PdfError } from '../../platform/pdf/index.ts';
import type { SharedWork } from '../../platform/shared-work.ts';
import { readSpecificationsState } from '../openapi-specs/index.ts';
import { readTree } from '../content-store/index.ts';
import { type ContentRow } from '../revisions/index.ts';
import { storeBytes } from '../content/index.ts';
import { pdfPath } from './web-page.ts';
import { findPdf, getHeading, putPdf, type Heading, type PdfKey } from './store.ts';
import { writeManuscript } from './write-manuscript.ts';

declare module '../../platform/api/context.ts' {
  interface Caches {
    /** PDFs that are being created: further requests for the same one wait for it. */
    readonly runningPdfs: SharedWork<string>;
  }
}

/** The revision that a PDF shows. */
export type PdfSource = Pick<
  ContentRow,
  'organization_id' | 'space_id' | 'store_id' | 'revision_id' | 'root' | 'revision_created_at'
>;
type PdfContext = Omit<Context, 'caller'>;

interface PdfRequest {
  readonly page?: string | undefined;
  /** Leaves out the pages below `page`. */
  readonly only?: boolean | undefined;
}

/** The address of a PDF, valid for an hour. */
export async function getPdfAddress(
  ctx: PdfContext,
  row: PdfSource,
  asked: PdfRequest,
  signal: AbortSignal,
): Promise<{ url: string }> {
  const hash = await getPdf(ctx, row, asked, signal);
  return { url: ctx.addresses.of(pdfPath(ctx.keys, ctx.now(), row.space_id, hash)) };
}

/** The hash of the bytes of a PDF. It is created on the first request, then stored for a day. */
export async function getPdf(
  ctx: PdfContext,
  row: PdfSource,
  asked: PdfRequest,
  signal: AbortSignal,
): Promise<string> {
  const key: PdfKey = {
    spaceId: row.space_id,
    revisionId: row.revision_id,
    pageId: asked.page ?? '',
    withBelow: !(asked.only && asked.page !== undefined),
  };
  const stored = await findPdf(ctx.db, key);
  return stored?.hash ?? createOnce(ctx, row, key, signal);
}

async function createOnce(
  ctx: PdfContext,
  row: PdfSource,
  key: PdfKey,
  signal: AbortSignal,
): Promise<string> {
  if (key.pageId !== '') {
    const tree = await readTree(ctx, row);
    if (!findPage(tree, key.pageId)) throw notFound('Page');
  }
  const heading = await getHeading(ctx.db, row.space_id);
  // Read before the parts: a PDF that is made during a change is made again.
  const specifications = await readSpecificationsState(ctx.db, row.organization_id);
  return ctx.caches.runningPdfs(JSON.stringify([key, heading, specifications]), signal, (wanted) =>
    createPdf(ctx, row, key, { heading, specifications }, wanted),
  );
}

async function createPdf(
  ctx: PdfContext,
  row: PdfSource,
  key: PdfKey,
  { heading, specifications }: { readonly heading: Heading; readonly specifications: string },
  signal: AbortSignal,
): Promise<string> {
  let showsSpecifications = false;
  const selection = { pageId: key.pageId || undefined, withBelow: key.withBelow };
  try {
    const bytes = await ctx.pdf.make({
      owner: row.organization_id,
      signal,
      async write(stopped) {
        const written = await writeManuscript(ctx, row, selection, heading, stopped);
        ({ showsSpecifications } = written);
        return written;
      },
    });
    const { hash, size } = await storeBytes(ctx, row.store_id, 'document.pdf', bytes);
    await putPdf(ctx.db, key, heading, {
      hash,
      size,
      specifications: showsSpecifications ? specifications : null,
    });
    return hash;
  } catch (error) {
    throw error instanceof PdfError ? refusalOf(error) : error;
  }
}

function refusalOf(error: PdfError): Error {
  switch (error.reason) {
    case 'too-large':
      return tooLarge(
        error.sheet === undefined
          ? 'The content is too large for one PDF. Request a part of it: `page`, with `only`.'
          : `The page "${error.sheet}" is too large to be typeset. Shorten it, or request other pages: \`page\`, with \`only\`.`,
      );
    case 'busy':
      return unavailable('Too many PDFs of this organization are being typeset. Retry in a moment.', error);
    case 'cancelled':
      // The client disconnected. Not a 5xx, because it is no error of the server.
      return unprocessable('Typesetting was cancelled. Request the PDF again.');
    case 'failed':
      return error;
  }
}
