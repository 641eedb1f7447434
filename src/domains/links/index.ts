export { checkSpace, type LinkReport, type ReportedUrl } from './check-space.ts';
