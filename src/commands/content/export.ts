import { createWriteStream, existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { exportFolder } from '../../domains/content/index.ts';
import { createStorageCaches } from '../../domains/content-store/index.ts';
import { findSpace } from '../../domains/spaces/index.ts';
import { onInstallation } from '../administer.ts';
import { CommandError, type Command } from '../command.ts';

export const exportCommand: Command = {
  name: 'export',
  summary: 'Export a space to a folder of Markdown. Unchanged imported files stay byte-identical.',
  options: {},
  arguments: ['space', 'folder'],
  async run({ space = '', folder = '' }, output) {
    requireEmpty(folder);
    const files = await onInstallation(async (db, storage) => {
      if (!(await findSpace(db, space))) throw new CommandError(`There is no space ${space}.`);
      let written = 0;
      const ctx = { db, isFront: false, files: storage, caches: createStorageCaches() };
      for await (const { path: relative, content } of exportFolder(ctx, space)) {
        const target = path.resolve(folder, relative);
        // No path in a space may lead out of the folder.
        if (!target.startsWith(path.resolve(folder) + path.sep))
          throw new Error(`${relative} is outside of the folder`);
        try {
          mkdirSync(path.dirname(target), { recursive: true });
          // Never overwrite a file: two names may be equal to this file system, for example by case.
          await pipeline(content, createWriteStream(target, { flags: 'wx' }));
        } catch (error) {
          throw explainWrite(error, relative);
        }
        written++;
      }
      return written;
    });
    output.result({ files }, `Wrote ${files} files to ${folder}.`);
  },
};

function requireEmpty(folder: string): void {
  try {
    if (!existsSync(folder) || readdirSync(folder).length === 0) return;
  } catch (error) {
    throw explainWrite(error, folder);
  }
  throw new CommandError(`${folder} is not empty. Choose another folder.`);
}

function explainWrite(error: unknown, file: string): unknown {
  const { code, path: place = file } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'EEXIST':
      return new CommandError(
        `${file} differs from another file of the space only in case or accents, which this file system does not distinguish. Choose a folder on another file system.`,
      );
    case 'ENAMETOOLONG':
    case 'EINVAL':
      return new CommandError(
        `${file} is not a valid file name on this file system. Choose a folder on another file system.`,
      );
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new CommandError(
        `This account may not use ${place}. Choose a folder that it may read and write.`,
      );
    case 'ENOTDIR':
      return new CommandError(`${place} is a file, or below a file. Choose another folder.`);
    case 'ENOSPC':
      return new CommandError(`No space is left on the disk for ${file}. Choose a folder on another disk.`);
    default:
      return error;
  }
}
