/** How tags nest. Their readers are in ../read/reader-registry.ts. */

/** Tags with content and an end tag. */
export const CONTAINERS: Readonly<Record<string, true>> = {
  hint: true,
  stepper: true,
  step: true,
  updates: true,
  update: true,
  tabs: true,
  tab: true,
  columns: true,
  column: true,
  code: true,
  prompt: true,
  if: true,
  embed: true,
  file: true,
  'content-ref': true,
  openapi: true,
  swagger: true,
  'openapi-operation': true,
  'openapi-schemas': true,
  'openapi-webhook': true,
};

/** Tags that never have an end tag. */
export const VOID_TAGS: ReadonlySet<string> = new Set(['include', 'page-ref']);

/** Tags that are valid only inside another. */
export const CHILD_OF: ReadonlyMap<string, string> = new Map(
  Object.entries({
    step: 'stepper',
    update: 'updates',
    tab: 'tabs',
    column: 'columns',
  }),
);

/** Tags whose end tag may be missing: they contain a caption or a link, so any other block ends them. */
export const CLOSED_BY_OTHERS: ReadonlySet<string> = new Set([
  'embed',
  'file',
  'content-ref',
  'openapi',
  'swagger',
  'openapi-operation',
  'openapi-schemas',
  'openapi-webhook',
]);
