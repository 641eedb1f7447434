import { createWriteStream, existsSync, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { exportFolder } from '../domains/content/index.ts';
import { findSpace } from '../domains/spaces/index.ts';
import { administer } from './administer.ts';
import { CommandError, type Command } from './command.ts';

export const exportCommand: Command = {
  name: 'export',
  summary:
    'Write a space to a folder of Markdown. What was imported and not changed is byte for byte the same.',
  options: {},
  arguments: ['space', 'folder'],
  async run({ space = '', folder = '' }, output) {
    if (existsSync(folder) && readdirSync(folder).length > 0) {
      throw new CommandError(`${folder} is not empty. Choose another folder.`);
    }
    const files = await administer(async (db, storage) => {
      if (!(await findSpace(db, space))) throw new CommandError(`There is no space ${space}.`);
      let written = 0;
      for await (const { path: relative, content } of exportFolder({ db, files: storage }, space)) {
        const target = path.resolve(folder, relative);
        // Nothing that a space holds may be written beside the folder.
        if (!target.startsWith(path.resolve(folder) + path.sep))
          throw new Error(`${relative} leads out of the folder`);
        mkdirSync(path.dirname(target), { recursive: true });
        await pipeline(content, createWriteStream(target));
        written++;
      }
      return written;
    });
    output.result({ files }, `${files} files are in ${folder}`);
  },
};
