import type { DocumentPage } from '../../../content-engine/tree/index.ts';
import type { PdfSource } from '../../../domains/pdfs/index.ts';
import type { OpenSpace } from './open-space.ts';
import { dependsOnVisitor, hasIncludes } from './read-document.ts';
import type { SiteReader } from '../site-reader.ts';

/**
 * Whether a visitor may have the PDF of a page. PDFs are made for anonymous visitors, and name the pages that the page links to.
 * So visitors with claims get only those of pages that are the same for everyone, and no page may be hidden from the visitor.
 */
export async function mayReadPdf(reader: SiteReader, space: OpenSpace, page: DocumentPage): Promise<boolean> {
  const { visitor } = reader;
  if (!space.pages.isComplete || !(await reader.customizationOf(space.siteSpace)).pdf.enabled) return false;
  if (visitor.class === '') return true;
  return !(await dependsOnVisitor(space, page)) && !(await hasIncludes(space, page));
}

/** The revision that a site space shows, for its PDFs. */
export const pdfSourceOf = ({ site }: SiteReader, { siteSpace }: OpenSpace): PdfSource => ({
  organization_id: site.organization_id,
  space_id: siteSpace.spaceId,
  store_id: siteSpace.storeId,
  revision_id: siteSpace.revisionId,
  root: siteSpace.root === null ? null : Buffer.from(siteSpace.root, 'hex'),
  revision_created_at: new Date(siteSpace.revisedAt),
});
