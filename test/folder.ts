import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { exportFolder, importFolder } from '../src/domains/content/index.ts';
import type { TestApp } from './app.ts';

export type Folder = Readonly<Record<string, string>>;

const idOf = (space: string): string => space.split('/').at(-1) ?? '';

/** Imports a folder into a space, given by its path. */
export async function importInto(
  { app }: TestApp,
  space: string,
  folder: Readonly<Record<string, string | Buffer>>,
) {
  const { connection, files } = app.installation;
  const entries = Object.entries(folder).map(([path, text]) => {
    const bytes = Buffer.from(text);
    return { path, size: bytes.length, read: () => Promise.resolve(bytes) };
  });
  const ctx = { ...app.context, db: connection.db, files };
  return importFolder(ctx, { spaceId: idOf(space) }, undefined, entries);
}

/** The space exported as a folder. */
export async function exportOf({ app }: TestApp, space: string): Promise<Folder> {
  const { connection, files } = app.installation;
  const folder: Record<string, string> = {};
  for await (const { path, content } of exportFolder(
    { ...app.context, db: connection.db, files },
    idOf(space),
  )) {
    folder[path] = (await buffer(Readable.from(content))).toString();
  }
  return folder;
}
