import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';

/** How long the program is kept when nobody wants a document. */
const KEPT_MS = 5 * 60_000;

/**
 * The compiler as machine code, which threads share: what was optimised for one document is not optimised again for the
 * next, and that is most of the work. It is loaded when it is first asked for, and dropped after a while of rest.
 */
export function createProgram(): () => Promise<WebAssembly.Module> {
  let program: Promise<WebAssembly.Module> | undefined;
  let timer: NodeJS.Timeout | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(() => (program = undefined), KEPT_MS).unref();
    program ??= load();
    program.catch(() => (program = undefined));
    return program;
  };
}

async function load(): Promise<WebAssembly.Module> {
  // By default V8 optimises so much of a large program that it takes longer than the document: 9 s of CPU against 3.
  setFlagsFromString('--wasm-tiering-budget=1000000000');
  const file = createRequire(import.meta.url).resolve('@myriaddreamin/typst-ts-web-compiler/wasm');
  // Types of Node name the namespace without what is in it.
  const { WebAssembly: wasm } = globalThis as unknown as {
    WebAssembly: { compile(bytes: Uint8Array): Promise<WebAssembly.Module> };
  };
  return wasm.compile(await readFile(file));
}
