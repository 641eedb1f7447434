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
  change: Type.Integer({ description: 'The index of the change in the batch' }),
  kind: Type.String(),
  message: Type.String(),
  start: Type.Integer({ description: 'Where in the Markdown that was sent, in UTF-16 units' }),
  end: Type.Integer(),
});

export const Edited = named('ContentEdited', {
  revision: Type.String({ description: 'The id of the revision; the present one where nothing changed' }),
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
  kind: Type.Optional(Type.String({ maxLength: 50, description: 'What it is for; kept by nobody' })),
});

export const Upload = named('StorageSignedURL', {
  object: Type.Literal('storage-signed-url'),
  url: Uri,
  key: Type.String(),
});
