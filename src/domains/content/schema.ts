import Type from 'typebox';
import { named, Uri } from '../../platform/api/schema.ts';
import { File } from '../revisions/index.ts';

const Named = Type.Object({
  object: Type.String(),
  id: Type.String(),
  urls: Type.Object({ location: Uri }),
});

/** The outcome of one change. A deleted page is its id only. */
const Done = Type.Object({
  object: Type.Enum([
    'created_page',
    'updated_page',
    'deleted_page',
    'created_file',
    'deleted_file',
    'created_reusable_content',
    'updated_reusable_content',
    'deleted_reusable_content',
    'updated_variables',
  ]),
  ref: Type.Optional(Type.String()),
  page: Type.Optional(Type.Union([Named, Type.String()])),
  file: Type.Optional(Type.String()),
  reusableContent: Type.Optional(Type.Union([Named, Type.String()])),
});

const Warning = Type.Object({
  change: Type.Integer({ description: 'Index of the change in the batch' }),
  kind: Type.String(),
  message: Type.String(),
  start: Type.Integer({ description: 'Start offset in the Markdown of the request, in UTF-16 code units' }),
  end: Type.Integer({ description: 'End offset, exclusive' }),
});

export const Edited = named('ContentEdited', {
  revision: Type.String({ description: 'Id of the new revision, or of the current one if nothing changed' }),
  changes: Type.Array(Done),
  insertedFiles: Type.Array(File),
  warnings: Type.Array(Warning),
});

export const NewUpload = Type.Object({
  file: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 256 }),
    type: Type.String({ maxLength: 200 }),
    size: Type.Integer({ minimum: 0 }),
  }),
  kind: Type.Optional(
    Type.Enum(['customization_font', 'import_file', 'organization_file'], {
      description:
        'Purpose of the file: `import_file` for import runs. Any upload can be used for any purpose.',
    }),
  ),
});

export const Upload = named('StorageSignedURL', {
  object: Type.Literal('storage-signed-url'),
  url: Uri,
  key: Type.String(),
});
