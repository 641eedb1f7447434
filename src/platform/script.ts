import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import path from 'node:path';

/** A module that a thread or a child process runs. */
export interface Script {
  readonly url: URL;
  /** Whether `tsx` must be registered before it is loaded: Node 20 cannot load TypeScript. */
  readonly isSource: boolean;
}

const isProgram = !import.meta.url.endsWith('.ts');

/**
 * The script beside a module, whose URL is given without extension. The program has all of them in one folder. From the
 * sources, `tsx` takes a second of CPU for each thread, so that tests name the folder of those that were built from the same
 * sources (`test/setup.ts`).
 */
export function scriptAt(url: URL): Script {
  if (isProgram) return { url: new URL(`${url.href}.js`), isSource: false };
  const folder = process.env['FOLDER_OF_SCRIPTS'];
  const built = folder && path.join(folder, `${path.basename(fileURLToPath(url))}.js`);
  return built && existsSync(built)
    ? { url: pathToFileURL(built), isSource: false }
    : { url: new URL(`${url.href}.ts`), isSource: true };
}
