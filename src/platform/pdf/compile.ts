import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import * as typst from '@myriaddreamin/typst-ts-web-compiler';
import { fontsFor } from './fonts.ts';

/**
 * Runs in a thread of its own, for one document. The compiler is WebAssembly without a file system and a network: it sees
 * the source, the files that came with it, and the fonts.
 */

export interface Source {
  readonly main: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
}

export interface Task extends Source {
  readonly program: WebAssembly.Module;
}

export type Answer = { readonly pdf: Uint8Array } | { readonly error: string };

const MAIN = '/main.typ';
const DIAGNOSTICS_AS_TEXT = 2;

interface Compiled {
  readonly result?: Uint8Array;
  readonly diagnostics?: readonly string[];
}

async function createCompiler({ main, program }: Task): Promise<typst.TypstCompiler> {
  typst.initSync({ module: program });
  const fonts = new typst.TypstFontResolverBuilder();
  for (const file of await fontsFor(main)) {
    const bytes = await readFile(file);
    try {
      fonts.add_lazy_font(fonts.get_font_info(bytes), () => bytes);
    } catch {
      // A font that cannot be read is as good as none.
    }
  }
  const builder = new typst.TypstCompilerBuilder();
  builder.set_dummy_access_model();
  const compiler = await builder.build();
  compiler.set_fonts(await fonts.build());
  return compiler;
}

const compile = (compiler: typst.TypstCompiler, inputs: [string, string][]): Compiled =>
  compiler.compile(MAIN, inputs, 'pdf', DIAGNOSTICS_AS_TEXT) as Compiled;

/** A file that is no image fails the whole document. So the images are tried one by one, and the source is told. */
function unreadableOf(compiler: typst.TypstCompiler, paths: Iterable<string>): string[] {
  return [...paths].filter((path) => {
    compiler.add_source(MAIN, `#image(${JSON.stringify(path)})`);
    return !compile(compiler, []).result;
  });
}

async function make(task: Task): Promise<Answer> {
  const { main, files } = task;
  const compiler = await createCompiler(task);
  for (const [path, bytes] of files) compiler.map_shadow(path, bytes);
  compiler.add_source(MAIN, main);
  let compiled = compile(compiler, []);
  if (!compiled.result && files.size > 0) {
    const unreadable = unreadableOf(compiler, files.keys());
    compiler.add_source(MAIN, main);
    if (unreadable.length > 0) compiled = compile(compiler, [['unreadable', unreadable.join('\n')]]);
  }
  if (compiled.result) return { pdf: compiled.result };
  return { error: (compiled.diagnostics ?? []).join('\n') || 'no document' };
}

const answer = await make(workerData as Task);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(answer);
