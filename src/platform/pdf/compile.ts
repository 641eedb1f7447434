import { readFile } from 'node:fs/promises';
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import * as typst from '@myriaddreamin/typst-ts-web-compiler';
import { fontsLackedBy, OWN_FONTS } from './fonts.ts';

/**
 * Runs in a thread of its own, for one document. The compiler is WebAssembly without a file system and a network: it sees
 * the source, the files that came with it, and the fonts. It gets ready before the source is there.
 */

export interface Source {
  readonly main: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
}

export type Answer = { readonly pdf: Uint8Array } | { readonly error: string };

const MAIN = '/main.typ';
const DIAGNOSTICS_AS_TEXT = 2;

interface Compiled {
  readonly result?: Uint8Array;
  readonly diagnostics?: readonly string[];
}

async function addFonts(fonts: typst.TypstFontResolverBuilder, files: readonly string[]): Promise<void> {
  for (const file of files) {
    const bytes = await readFile(file);
    try {
      fonts.add_lazy_font(fonts.get_font_info(bytes), () => bytes);
    } catch {
      // A font that cannot be read is as good as none.
    }
  }
}

async function createCompiler(fonts: typst.TypstFontResolverBuilder): Promise<typst.TypstCompiler> {
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

function make(compiler: typst.TypstCompiler, { main, files }: Source): Answer {
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

if (!parentPort) throw new Error('This runs in a thread only.');
const coming = once(parentPort, 'message') as Promise<[Source]>;
typst.initSync({ module: workerData as WebAssembly.Module });
const fonts = new typst.TypstFontResolverBuilder();
await addFonts(fonts, OWN_FONTS);
const [source] = await coming;
await addFonts(fonts, await fontsLackedBy(source.main));
const answer = make(await createCompiler(fonts), source);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort.postMessage(answer);
