import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';

/** Idle time after which the compiled module is dropped. */
const IDLE_MS = 5 * 60_000;

/** Of the compiler, in pages of 64 kB: 300 MB. A document that needs more ends its thread, not the process. */
const MAX_MEMORY_PAGES = 4800;

/**
 * The compiled WebAssembly module, shared between threads: code that V8 optimised for one document is not optimised again
 * for the next, which would be most of the work. Loaded on first use, dropped when idle.
 */
export function createWasmLoader(): () => Promise<WebAssembly.Module> {
  let wasmModule: Promise<WebAssembly.Module> | undefined;
  let timer: NodeJS.Timeout | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(() => (wasmModule = undefined), IDLE_MS).unref();
    wasmModule ??= load();
    wasmModule.catch(() => (wasmModule = undefined));
    return wasmModule;
  };
}

async function load(): Promise<WebAssembly.Module> {
  // By default V8 optimises so much of this module that it takes longer than the document: 9 s of CPU instead of 3.
  setFlagsFromString('--wasm-tiering-budget=1000000000');
  setFlagsFromString(`--wasm-max-mem-pages=${MAX_MEMORY_PAGES}`);
  const file = createRequire(import.meta.url).resolve('@myriaddreamin/typst-ts-web-compiler/wasm');
  // The types of Node declare the namespace without its members.
  const { WebAssembly: wasm } = globalThis as unknown as {
    WebAssembly: { compile(bytes: Uint8Array): Promise<WebAssembly.Module> };
  };
  return wasm.compile(await readFile(file));
}
