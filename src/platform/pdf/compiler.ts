import { readFile } from 'node:fs/promises';
import * as typst from '@myriaddreamin/typst-ts-web-compiler';
import { BUNDLED_FONTS, FONT_INPUTS, systemFontsFor } from './fonts.ts';
import { countPages } from './join/read-pdf.ts';

/**
 * The compiler is WebAssembly without access to a file system or network: it reads the source, the files passed with it,
 * and the fonts. Its memory only grows and is released when its thread ends.
 */

export interface Source {
  readonly main: string;
  /** Labels to locate. */
  readonly labels: readonly string[];
  /** The number of the first page. */
  readonly firstPage: number;
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** Paths that the source refers to and that do not exist. */
  readonly missing: readonly string[];
}

export interface Compiled {
  readonly pdf: Uint8Array;
  readonly pages: number;
  /** Page (from 1) and distance in points from the left and top; null if the label does not exist. */
  readonly places: readonly (readonly [page: number, x: number, y: number] | null)[];
  /** Bytes of WebAssembly memory allocated so far. */
  readonly memory: number;
}

/** An error in the source. After any other error the compiler instance is unusable. */
export class CompileError extends Error {}

const MAIN = '/main.typ';
const DIAGNOSTICS_AS_TEXT = 2;

interface Result {
  readonly result?: Uint8Array;
  readonly diagnostics?: readonly string[];
}

/** Reports the positions of labels, for cross-part links and the outline. */
const PLACES = `#context [#metadata(sys.inputs.at("labels").split().map(name => {
  let found = query(label(name))
  if found.len() == 0 { none } else {
    let at = found.first().location().position()
    (at.page, at.x.pt(), at.y.pt())
  }
}))<places>]`;
const NUMBERING = '#counter(page).update(int(sys.inputs.at("first-page")))';

export class Compiler {
  readonly #memory: { readonly buffer: ArrayBufferLike };
  readonly #bundledFonts: Promise<Buffer[]>;

  constructor(wasmModule: WebAssembly.Module) {
    ({ memory: this.#memory } = typst.initSync({ module: wasmModule }));
    this.#bundledFonts = readFonts(BUNDLED_FONTS);
  }

  async compile(source: Source): Promise<Compiled> {
    const compiler = await createCompiler([
      ...(await this.#bundledFonts),
      ...(await readFonts(await systemFontsFor(source.main))),
    ]);
    const compiled = makePdf(compiler, source);
    compiler.free();
    return { ...compiled, memory: this.#memory.buffer.byteLength };
  }
}

function makePdf(compiler: typst.TypstCompiler, source: Source): Omit<Compiled, 'memory'> {
  const { files, labels, firstPage, missing } = source;
  const main = `${NUMBERING}\n${source.main}\n${PLACES}`;
  for (const [path, bytes] of files) compiler.map_shadow(path, bytes);
  const inputsWithout = (paths: readonly string[]): [string, string][] => [
    ['unreadable', paths.join('\n')],
    ['labels', labels.join(' ')],
    ['first-page', String(firstPage)],
    ...FONT_INPUTS.map(([name, value]): [string, string] => [name, value]),
  ];
  const run = (inputs: [string, string][]): Result =>
    compiler.compile(MAIN, inputs, 'pdf', DIAGNOSTICS_AS_TEXT) as Result;
  /** One unreadable image fails the whole document. So images are tried one by one; the source omits those that failed. */
  const unreadable = (): string[] =>
    [...files.keys()].filter((path) => {
      compiler.add_source(MAIN, `#image(${JSON.stringify(path)})`);
      return !run([]).result;
    });

  let inputs = inputsWithout(missing);
  compiler.add_source(MAIN, main);
  let { result, diagnostics } = run(inputs);
  if (!result && files.size > 0) {
    inputs = inputsWithout([...missing, ...unreadable()]);
    compiler.add_source(MAIN, main);
    ({ result, diagnostics } = run(inputs));
  }
  if (!result) throw new CompileError((diagnostics ?? []).join('\n') || 'no document');
  const answer = labels.length === 0 ? '[]' : compiler.query(MAIN, inputs, '<places>', 'value');
  const [places = []] = JSON.parse(answer) as Compiled['places'][];
  return { pdf: result, pages: countPages(result), places };
}

const readFonts = (files: readonly string[]): Promise<Buffer[]> =>
  Promise.all(files.map((file) => readFile(file)));

async function createCompiler(files: readonly Buffer[]): Promise<typst.TypstCompiler> {
  const fonts = new typst.TypstFontResolverBuilder();
  for (const bytes of files) {
    try {
      fonts.add_lazy_font(fonts.get_font_info(bytes), () => bytes);
    } catch {
      // An unreadable font is treated as not installed.
    }
  }
  const builder = new typst.TypstCompilerBuilder();
  builder.set_dummy_access_model();
  const compiler = await builder.build();
  compiler.set_fonts(await fonts.build());
  return compiler;
}
