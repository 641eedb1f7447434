import { statSync } from 'node:fs';
import path from 'node:path';
import type { FolderFile, FolderWarning } from '../content-engine/layout/index.ts';
import { importFolder, MAX_FILE } from '../domains/content/index.ts';
import { listAllOrganizations } from '../domains/organizations/index.ts';
import { createSpaceIn, findSpace } from '../domains/spaces/index.ts';
import { readFolderFrom } from '../folder.ts';
import type { Database } from '../platform/database/connection.ts';
import { administer } from './administer.ts';
import { CommandError, type Command } from './command.ts';

export const importCommand: Command = {
  name: 'import',
  summary: 'Import a folder of Markdown into a space. Prints the id of the space.',
  options: {
    space: 'id of a space that becomes what the folder is (default: a new one)',
    org: 'id of the organization of a new space (default: the only one)',
    title: 'title of a new space (default: the name of the folder)',
  },
  arguments: ['folder'],
  async run({ folder = '', space, org, title }, output) {
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
      throw new CommandError(`${folder} is no folder.`);
    }
    const leftOut: FolderWarning[] = [];
    const files = readFolderFrom(folder, (file) =>
      leftOut.push({ path: file, message: 'A link, or otherwise no file: it is left out' }),
    );
    const { spaceId, pages, ...imported } = await administer(async (db, storage) => {
      const id = space ?? (await newSpace(db, org, title ?? path.basename(path.resolve(folder))));
      if (!(await findSpace(db, id))) throw new CommandError(`There is no space ${id}.`);
      const ctx = { db, files: storage, now: () => new Date() };
      return { spaceId: id, ...(await importFolder(ctx, id, undefined, notTooLarge(files))) };
    });
    const warnings = [...leftOut, ...imported.warnings];
    for (const { path: file, line, message } of warnings) {
      output.note(`${file}${line === undefined ? '' : `:${line}`}: ${message}`);
    }
    output.result({ space: spaceId, pages, warnings }, spaceId);
  },
};

async function newSpace(db: Database, org: string | undefined, title: string): Promise<string> {
  const all = await listAllOrganizations(db);
  const [only, another] = org === undefined ? all : all.filter(({ id }) => id === org);
  if (!only)
    throw new CommandError(org ? `There is no organization ${org}.` : 'There is no organization yet.');
  if (another) throw new CommandError('There are several organizations: choose one with --org.');
  return createSpaceIn(db, only.id, { title: [...title].slice(0, 50).join('') }, undefined);
}

function* notTooLarge(files: Iterable<FolderFile>): Iterable<FolderFile> {
  for (const file of files) {
    if (file.bytes.byteLength > MAX_FILE) {
      throw new CommandError(
        `${file.path} has more than ${MAX_FILE / 1024 / 1024} MB. Nothing was imported.`,
      );
    }
    yield file;
  }
}
