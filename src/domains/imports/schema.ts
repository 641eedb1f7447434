import Type, { type Static } from 'typebox';
import { idOf } from '../../platform/api/resource.ts';
import { listQuery, named, Timestamp, Uri } from '../../platform/api/schema.ts';
import { primaryContent } from '../content/index.ts';
import { requestTargets } from './policy.ts';

const Source = Type.Enum(
  ['website', 'docx', 'markdown', 'html', 'zip', 'confluence', 'github-wiki', 'notion', 'google-docs'],
  {
    description:
      'What the URL leads to: the start page of a website, a file, or the exported ZIP or HTML of another program',
  },
);
export type ImportSource = Static<typeof Source>;

const SourceUrl = Type.String({
  format: 'uri',
  maxLength: 8192,
  description: 'A public web address: https: or http:, without a user name',
});

export const ImportContent = Type.Object({ url: SourceUrl, source: Source });
export type ImportContent = Static<typeof ImportContent>;

const Skipped = Type.Object({
  source: Type.String({ description: 'URL, or path inside an archive' }),
  reason: Type.String(),
});

export type Skipped = Static<typeof Skipped>;

export const ImportContentResult = named('ImportContentResult', {
  revision: Type.String({ description: 'Id of the new revision' }),
  importedResources: Type.Integer({ description: 'Imported pages and files' }),
  totalResources: Type.Integer({ description: 'Found pages and files: imported and skipped' }),
  skipped: Type.Array(Skipped, { description: 'The first 100 resources that were not imported' }),
});

const RunSource = Type.Union([
  Type.Object({ type: Type.Literal('website'), url: SourceUrl }),
  Type.Object({
    type: Type.Literal('file'),
    files: Type.Array(Type.String({ minLength: 1, maxLength: 512 }), {
      minItems: 1,
      maxItems: 20,
      description: 'Keys of uploads (`POST /v1/orgs/{organizationId}/storage/upload`)',
    }),
  }),
  Type.Object({ type: Type.Literal('url'), url: SourceUrl, source: Source }),
]);
export type RunSource = Static<typeof RunSource>;

export const StartImportRun = Type.Object({
  source: RunSource,
  target: Type.Object({
    space: idOf(primaryContent, 'edit'),
    changeRequest: Type.Optional({ ...idOf(requestTargets, 'edit'), examples: [undefined] }),
    page: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Id of the page below which pages are added; default: at the root',
        examples: [undefined],
      }),
    ),
  }),
});
export type StartImportRun = Static<typeof StartImportRun>;

const Status = Type.Enum(['pending', 'in-progress', 'completed', 'failed', 'cancelled'], {
  description: 'State of the run',
});

export const ImportRun = named('ImportRun', {
  object: Type.Literal('import-run'),
  id: Type.String(),
  status: Status,
  createdAt: Timestamp,
  startedAt: Type.Optional(Timestamp),
  completedAt: Type.Optional({ ...Timestamp, description: 'End of the run, also if it failed' }),
  progress: Type.Object(
    { found: Type.Integer(), imported: Type.Integer(), skipped: Type.Integer() },
    { description: 'Numbers of pages and files' },
  ),
  pages: Type.Optional(
    Type.Array(Type.Object({ id: Type.String(), sourceURL: Type.Optional(Type.String()) }), {
      description: 'The new pages of a completed run; not in lists',
    }),
  ),
  skipped: Type.Optional(
    Type.Array(Skipped, { description: 'The first 1,000 resources that were not imported; not in lists' }),
  ),
  revision: Type.Optional(Type.String({ description: 'Id of the new revision' })),
  error: Type.Optional(Type.Object({ message: Type.String() })),
  source: RunSource,
  target: Type.Object({
    space: Type.String(),
    changeRequest: Type.Optional(Type.String()),
    page: Type.Optional(Type.String()),
  }),
  createdBy: Type.Optional(Type.String({ description: 'User id' })),
  urls: Type.Object({ location: Uri }),
});

export const ListImportRuns = Type.Object({
  ...listQuery,
  status: Type.Optional(Status),
  space: Type.Optional({ ...idOf(primaryContent, 'edit'), examples: [undefined] }),
});
