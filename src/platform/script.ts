import { fileURLToPath, pathToFileURL } from 'node:url';
import path from 'node:path';

/** A module that a thread or a child process runs. */
export interface Script {
  readonly url: URL;
  /** Whether `tsx` must be registered before it is loaded: Node 20 cannot load TypeScript. */
  readonly isSource: boolean;
}

const isProgram = !import.meta.url.endsWith('.ts');
let folderOfBuilt: string | undefined;

/**
 * For the tests, which run from the sources: `tsx` takes a second of CPU for each thread. The scripts in the folder must be
 * built from the same sources.
 */
export function useBuiltScripts(folder: string): void {
  folderOfBuilt = folder;
}

/** The script beside a module, whose URL is given without extension. The program has all of them in one folder. */
export function scriptAt(url: URL): Script {
  if (isProgram) return { url: new URL(`${url.href}.js`), isSource: false };
  if (folderOfBuilt === undefined) return { url: new URL(`${url.href}.ts`), isSource: true };
  const built = path.join(folderOfBuilt, `${path.basename(fileURLToPath(url))}.js`);
  return { url: pathToFileURL(built), isSource: false };
}
