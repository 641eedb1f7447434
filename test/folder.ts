import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { exportFolder, importFolder } from '../src/domains/content/index.ts';
import type { TestApp } from './app.ts';

export type Folder = Readonly<Record<string, string>>;

const idOf = (space: string): string => space.split('/').at(-1) ?? '';

/** Makes a space, named by its path, what a folder is. */
export async function importInto({ app }: TestApp, space: string, folder: Folder) {
  const { connection, files } = app.installation;
  const bytes = Object.entries(folder).map(([path, text]) => ({ path, bytes: Buffer.from(text) }));
  return connection.db
    .transaction()
    .execute((db) => importFolder({ db, files, now: () => new Date() }, idOf(space), undefined, bytes));
}

/** The folder that a space is. */
export async function exportOf({ app }: TestApp, space: string): Promise<Folder> {
  const { connection, files } = app.installation;
  const folder: Record<string, string> = {};
  for await (const { path, content } of exportFolder({ db: connection.db, files }, idOf(space))) {
    folder[path] = (await buffer(Readable.from(content))).toString();
  }
  return folder;
}
