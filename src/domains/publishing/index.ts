export { PREVIEW_PARAMETER, readPreview, type PreviewToken } from './preview-token.ts';
export { findVisitorAuth, type VisitorAuth } from './visitor-auth.ts';
