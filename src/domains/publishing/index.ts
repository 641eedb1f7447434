export { PREVIEW_PARAMETER, readPreview } from './preview-token.ts';
export { findVisitorAuth, type VisitorAuth } from './visitor-auth.ts';
