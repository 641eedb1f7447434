export { getPdf, type PdfSource } from './create-pdf.ts';
