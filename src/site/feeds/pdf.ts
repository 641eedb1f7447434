import { findPage } from '../../content-engine/tree/index.ts';
import { answerFile } from '../../domains/content/index.ts';
import { getPdf } from '../../domains/pdfs/index.ts';
import type { PageAnswer } from '../../platform/http/pages/page.ts';
import { mayReadPdf, pdfSourceOf } from '../read/pages/pdf.ts';
import { answerFailure } from '../serve/answer-page.ts';
import { cacheControlOf, headersOf, type SiteRequest } from '../serve/request.ts';

/** A page without the pages below it, for those who may read it. `rest` is site space and page. */
export async function servePdf(request: SiteRequest, rest: string): Promise<PageAnswer | undefined> {
  const [siteSpaceId, pageId = ''] = rest.split('/');
  const { reader, visit } = request;
  const siteSpace = reader.siteSpaces.find(({ id }) => id === siteSpaceId);
  if (!siteSpace) return undefined;
  const space = await reader.open(siteSpace);
  const page = findPage(space.tree, pageId);
  if (page?.type !== 'document' || !space.pages.mayRead(pageId)) return undefined;
  if (!(await mayReadPdf(reader, space, page))) return undefined;
  let hash: string;
  // PDFs have a queue of their own, and take longer than anything else of a site.
  visit.turn.end();
  try {
    hash = await getPdf(visit.ctx, pdfSourceOf(reader, space), { page: pageId, only: true }, visit.signal);
  } catch (error) {
    return answerFailure(request, siteSpace, error);
  }
  const file = {
    spaceId: siteSpace.spaceId,
    hash,
    contentType: 'application/pdf',
    name: `${page.slug || 'page'}.pdf`,
  };
  const answer = await answerFile(visit.ctx, file, visit.headers, cacheControlOf(request));
  return { ...answer, headers: { ...headersOf(request), ...answer.headers } };
}
