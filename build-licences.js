import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Of a module in a package, and of a package in a package: the folder of the innermost one. */
const PACKAGE = /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//;
const NAMES = /^(licen[cs]e|copying|notice)/i;

/** Licences of bundled packages ask to be passed on with the code. */
export async function writeLicences(chunks, file) {
  const modules = chunks.flatMap(({ moduleIds = [] }) => moduleIds);
  const folders = new Set(modules.flatMap((id) => PACKAGE.exec(id)?.[1] ?? []));
  const texts = await Promise.all([...folders].toSorted().map(licenceOf));
  await writeFile(file, texts.join('\n\n---\n\n'));
}

async function licenceOf(folder) {
  const { name, version, license, author } = JSON.parse(
    await readFile(path.join(folder, 'package.json'), 'utf8'),
  );
  if (!license) throw new Error(`${name} is bundled, and names no licence`);
  const files = (await readdir(folder)).filter((each) => NAMES.test(each)).toSorted();
  const texts = await Promise.all(files.map((each) => readFile(path.join(folder, each), 'utf8')));
  return [`${name} ${version}, ${license}${by(author)}`, ...texts].join('\n\n');
}

/** Some packages have no other text. */
const by = (author) => (author ? `, by ${typeof author === 'string' ? author : author.name}` : '');
