import { statSync } from 'node:fs';
import path from 'node:path';
import type { FolderWarning } from '../content-engine/folder/index.ts';
import { importFolder, type ImportTarget } from '../domains/content/index.ts';
import { listAllOrganizations } from '../domains/organizations/index.ts';
import { createStorageCaches } from '../domains/revisions/index.ts';
import { createSpaceIn, findSpace } from '../domains/spaces/index.ts';
import { listFolder } from '../list-folder.ts';
import type { Database } from '../platform/database/connection.ts';
import { onInstallation } from './administer.ts';
import { CommandError, type Command } from './command.ts';

export const importCommand: Command = {
  name: 'import',
  summary: 'Import a folder of Markdown into a space. Prints the id of the space.',
  options: {
    space: 'id of a space whose content is replaced (default: create a space)',
    org: 'id of the organization for a new space (default: the only organization)',
    title: 'title of a new space (default: name of the folder)',
  },
  arguments: ['folder'],
  async run({ folder = '', space, org, title }, output) {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
      throw new CommandError(`${folder} is not a folder.`);
    }
    const { files, ignored, irregular } = listFolder(folder);
    const { spaceId, pages, warnings } = await onInstallation(async (db, storage) => {
      const target = space ? await existing(db, space) : await newSpace(db, org, title ?? nameOf(folder));
      const ctx = { db, files: storage, caches: createStorageCaches(), now: () => new Date() };
      return importFolder(ctx, target, undefined, files);
    });
    const reported = [...irregular.map((file) => ({ path: file, message: NOT_REGULAR })), ...warnings];
    for (const { path: file, line, message } of reported as FolderWarning[]) {
      output.note(`${file}${line === undefined ? '' : `:${line}`}: ${message}`);
    }
    if (ignored.length > 0) output.note(`Ignored: ${ignored.length} (${ignoredNames(ignored)})`);
    const counts = { pages, files: files.length, leftOut: ignored.length + irregular.length };
    output.result({ space: spaceId, ...counts, warnings: reported }, spaceId);
  },
};

const NOT_REGULAR = 'Skipped: not a regular file';

const nameOf = (folder: string): string => path.basename(path.resolve(folder));

/** Distinct names: many folders may contain the same one. */
const ignoredNames = (paths: readonly string[]): string =>
  [...new Set(paths.map((each) => path.posix.basename(each)))].join(', ');

async function existing(db: Database, spaceId: string): Promise<ImportTarget> {
  if (!(await findSpace(db, spaceId))) throw new CommandError(`There is no space ${spaceId}.`);
  return { spaceId };
}

async function newSpace(db: Database, org: string | undefined, title: string): Promise<ImportTarget> {
  const all = await listAllOrganizations(db);
  const [only, another] = org === undefined ? all : all.filter(({ id }) => id === org);
  if (!only)
    throw new CommandError(org ? `There is no organization ${org}.` : 'There is no organization yet.');
  if (another) throw new CommandError('There are several organizations. Choose one with --org.');
  const settings = { title: [...title].slice(0, 50).join('') };
  return {
    organizationId: only.id,
    create: (transaction) => createSpaceIn(transaction, only.id, settings, undefined),
  };
}
