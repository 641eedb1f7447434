import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../content-engine/markdown/index.ts';
import { frontOf, pictureKey, typesetBook, type Book } from '../../content-engine/render/typst/index.ts';
import { createPdf, PdfError, type Manuscript, type Sheet } from './index.ts';

const PATIENCE = 120_000;
const pdf = createPdf({ limitMs: PATIENCE });
const wanted = new AbortController().signal;

const make = (manuscript: Manuscript): Promise<Buffer> =>
  pdf.make({ owner: 'somebody', signal: wanted, write: () => Promise.resolve(manuscript) });

/** A book as it is printed, with images by their keys. */
function manuscriptOf(book: Book, images: ReadonlyMap<string, Uint8Array> = new Map()): Manuscript {
  const typeset = typesetBook({ ...book, pictures: new Set(images.keys()) });
  return {
    ...typeset,
    front: (numberOf) => frontOf(typeset, numberOf),
    readFile(path) {
      const ref = typeset.pictures.get(path);
      return Promise.resolve(ref && images.get(pictureKey(ref)));
    },
  };
}

/** Something that a test waits for. */
function gate(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((open) => (resolve = open));
  return { promise, resolve: () => resolve() };
}

const sheetOf = (markup: string): Sheet => ({ name: 'A page', markup, files: [], places: [] });
const sheetsOf = (...markups: string[]): Manuscript => ({
  preamble: '',
  sheets: markups.map(sheetOf),
  front: () => 'Front',
  readFile: () => Promise.resolve(undefined),
});

/** The objects of a document, by number. */
const objectsOf = (bytes: Buffer): Map<string, string> =>
  new Map(
    [...bytes.toString('latin1').matchAll(/(\d+) 0 obj\r?\n([^]*?)\r?\nendobj/g)].map(([, id, body]) => [
      id as string,
      body as string,
    ]),
  );

function streamOf(object: string): string {
  const at = object.indexOf('stream\n') + 'stream\n'.length;
  const bytes = Buffer.from(object.slice(at, object.lastIndexOf('endstream')), 'latin1');
  return (object.includes('/FlateDecode') ? inflateSync(bytes) : bytes).toString('latin1');
}

/** Which text the codes of a font are, from its `ToUnicode`. */
function lettersOf(objects: Map<string, string>, font: string): Map<number, string> {
  const letters = new Map<number, string>();
  const unicode = /\/ToUnicode (\d+) 0 R/.exec(objects.get(font) ?? '')?.[1];
  const map = streamOf(objects.get(unicode ?? '') ?? '');
  for (const [, list] of map.matchAll(/beginbfchar\s([^]*?)endbfchar/g)) {
    for (const [, code, text] of (list as string).matchAll(/<([0-9a-fA-F]+)>\s*<([0-9a-fA-F]*)>/g)) {
      letters.set(
        Number.parseInt(code as string, 16),
        Buffer.from(text as string, 'hex')
          .swap16()
          .toString('utf16le'),
      );
    }
  }
  return letters;
}

/** Fonts and strings of a page in the order that they are drawn. Strings may hold pairs of parentheses. */
function* shownIn(content: string): Iterable<{ font?: string; string?: string }> {
  const token = /\/(f\d+) [\d.]+ Tf|\(/g;
  for (let found = token.exec(content); found; found = token.exec(content)) {
    const [, font] = found;
    if (font !== undefined) yield { font };
    else {
      let depth = 1;
      let end = token.lastIndex;
      for (; depth > 0 && end < content.length; end += 1) {
        if (content[end] === '\\') end += 1;
        else if (content[end] === '(') depth += 1;
        else if (content[end] === ')') depth -= 1;
      }
      yield { string: content.slice(token.lastIndex, end - 1) };
      token.lastIndex = end;
    }
  }
}

/** All text of a document, as somebody copies it, without spaces and the marks of possible line breaks. */
function textOf(bytes: Buffer): string {
  const objects = objectsOf(bytes);
  let text = '';
  for (const object of objects.values()) {
    if (!/\/Type \/Page\b(?!s)/.test(object)) continue;
    const resources = /\/Resources (\d+) 0 R/.exec(object)?.[1];
    const named = (resources === undefined ? object : objects.get(resources)) ?? '';
    const fonts = new Map(
      [...named.matchAll(/\/(f\d+) (\d+) 0 R/g)].map(([, name, id]) => [
        name,
        lettersOf(objects, id as string),
      ]),
    );
    const content = streamOf(objects.get(/\/Contents (\d+) 0 R/.exec(object)?.[1] ?? '') ?? '');
    let letters: Map<number, string> | undefined;
    for (const { font, string } of shownIn(content)) {
      if (font !== undefined) letters = fonts.get(font);
      const codes = unescape(string ?? '');
      for (let at = 0; at + 1 < codes.length; at += 2) {
        text += letters?.get(codes.charCodeAt(at) * 256 + codes.charCodeAt(at + 1)) ?? '';
      }
    }
  }
  return text.replace(/[\s\u200b]/g, '');
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
const unescape = (string: string): string =>
  string.replace(/\\(?:([0-7]{1,3})|([^]))/g, (_, octal: string | undefined, char: string) =>
    octal === undefined ? (ESCAPES[char] ?? char) : String.fromCharCode(Number.parseInt(octal, 8)),
  );

const bookOf = (body: string, more: Partial<Book> = {}): Book => ({
  title: 'The book',
  subtitle: 'of everything',
  date: '15 November 2026',
  language: 'de',
  pages: [
    { id: 'one', title: 'First page', description: 'About it', depth: 0, document: parseDocument(body) },
  ],
  ...more,
});

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAUAAAADCAIAAADUVFKvAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEElEQVQImWPg5GBHRgwE+AAiDgFp5shY3AAAAABJRU5ErkJggg==',
  'base64',
);
const SVG = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect width="20" height="10"/></svg>',
);

const EVERYTHING = `
Text **bold** *italic* ~~gone~~ \`code\` <kbd>K</kbd> H<sub>2</sub>O x<sup>2</sup> <mark style="color:red;">red</mark>
[out](https://example.com) [in](#lists) $$x^2$$ note[^1] <a href="https://x.org" class="button primary">Go</a>
<i class="fa-github">:github:</i> ![inline](a.png) text <img src="b.svg" alt="i" data-size="line">

[^1]: The **annotation**.

## Lists

* One
  * Two

      indented

1. First
2. Second

* [x] done
* [ ] open

> Quote

***

{% hint style="warning" %}
Careful
{% endhint %}

{% hint style="danger" %}
* a list first
{% endhint %}

{% code title="a.ts" lineNumbers="true" %}
\`\`\`ts
const a = 'b'; // c

\`\`\`
{% endcode %}

{% tabs %}
{% tab title="Tab A" %}
Inside A
{% endtab %}
{% tab title="Tab B" %}
Inside B
{% endtab %}
{% endtabs %}

{% stepper %}
{% step %}
### Step heading
Step text
{% endstep %}
{% step %}
Only text
{% endstep %}
{% endstepper %}

<details>
<summary>Summary</summary>

Details

</details>

| A | B |
| --- | ---: |
| 1 | 2 |

<table data-view="cards"><thead><tr><th></th><th data-hidden data-card-cover data-type="image">Cover</th><th data-hidden data-card-target data-type="content-ref"></th></tr></thead><tbody><tr><td><strong>Card</strong></td><td><img src="a.png"></td><td><a href="https://x.org/card">x</a></td></tr></tbody></table>

<table><thead><tr><th data-type="checkbox">Done</th><th data-type="rating" data-max="5">Stars</th><th data-type="number">N</th></tr></thead><tbody><tr><td>true</td><td>3</td><td>7</td></tr></tbody></table>

$$
\\sum_{n=1}^{\\infty} \\frac{1}{n^2} = \\frac{\\pi^2}{6}
$$

$$
\\strange{x}
$$

<figure><img src="a.png" alt="An image" width="300"><figcaption><p>Caption</p></figcaption></figure>

<figure><img src="broken.png" alt="Broken image"><figcaption></figcaption></figure>

![Missing image](missing.png)

{% embed url="https://example.com/video" %}

{% file src="report.pdf" %}

{% content-ref url="https://example.com/page" %}
[x](https://example.com/page)
{% endcontent-ref %}

{% openapi-operation spec="petstore" path="/pets" method="post" %}
{% endopenapi-operation %}

{% openapi-schemas spec="petstore" schemas="Pet,Dog" %}
{% endopenapi-schemas %}

{% @mermaid/diagram content="graph" %}

{% columns %}
{% column width="30%" %}
Left
{% endcolumn %}
{% column %}
Right
{% endcolumn %}
{% endcolumns %}

{% updates format="full" %}
{% update date="2025-12-25" tags="new" %}
Released
{% endupdate %}
{% endupdates %}

{% prompt description="Prompt" %}
Ask
{% endprompt %}

{% if visitor.x %}
Conditional
{% endif %}

{% include "/reusable-content/shared" %}

{% unknown a="b" %}
`;

describe('a PDF', { timeout: PATIENCE }, () => {
  it('holds every block, is tagged, and has bookmarks', async () => {
    const book = bookOf(EVERYTHING, {
      pages: [
        { id: 'group', title: 'A group', depth: 0 },
        ...bookOf(EVERYTHING).pages.map((page) => ({ ...page, depth: 1 })),
        { id: 'two', title: 'Second page', depth: 1, document: parseDocument('[back](#lists)') },
      ],
      reusableContents: new Map([['shared', parseDocument('Shared text')]]),
    });
    const images = new Map<string, Uint8Array>([
      ['a.png', PNG],
      ['b.svg', SVG],
      ['broken.png', Buffer.from('no image')],
    ]);
    const bytes = await make(manuscriptOf(book, images));
    const raw = bytes.toString('latin1');
    expect(raw.startsWith('%PDF-1.7')).toBe(true);
    expect(raw).toContain('/Lang (de)');
    expect(raw).toContain('/Type /Outlines');
    for (const tag of [
      'H1',
      'H2',
      'P',
      'L',
      'LI',
      'Table',
      'TH',
      'TD',
      'Code',
      'Figure',
      'Formula',
      'Link',
      'Note',
      'TOC',
      'BlockQuote',
    ])
      expect(raw, tag).toMatch(new RegExp(`/S /${tag}\\b`));
    expect(raw.match(/\/Type \/Page\b/g)?.length).toBeGreaterThanOrEqual(5);
    const text = textOf(bytes);
    for (const word of 'Thebook|ofeverything|15November2026|Contents|Agroup|Firstpage|Aboutit|bold|italic|gone|annotation|Lists|Careful|alistfirst|a.ts|consta|TabA|InsideB|Stepheading|Onlytext|Summary|Details|Card|strange|Caption|Brokenimage|Missingimage|example.com/video|/pets|POST|Pet|mermaid|Left|Right|Released|2025-12-25|Ask|Conditional|Sharedtext|{%unknown|Secondpage'.split(
      '|',
    ))
      expect(text, word).toContain(word);
  });

  it('is set in the fonts that fonts.ts chooses: the markup names none', async () => {
    const manuscript = manuscriptOf(bookOf('Text, `code` and $$x^2$$.'), new Map());
    expect(manuscript.preamble).not.toMatch(/Source|STIX|Noto/);
    const bytes = await make(manuscript);
    const fonts = [...bytes.toString('latin1').matchAll(/\/BaseFont \/[A-Z]{6}\+([A-Za-z0-9]+)/g)];
    expect(new Set(fonts.map(([, name]) => name))).toEqual(
      new Set(['SourceSans3', 'SourceCodePro', 'STIXTwoMath']),
    );
  });

  it('shows any text as it is', async () => {
    const hostile = [
      '#panic("x")',
      ']#read("/main.typ")[',
      '$x$ \\ " \\" `` ``` <p0> @p0 // /* */ = * _ - + ~ ---',
      '#let a = 1; #import "x"',
      "''' {} [] ()",
    ];
    const random = fc.sample(fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 60 }), {
      numRuns: 150,
      seed: 7,
    });
    const texts = [...hostile, ...random].filter((text) => text.trim() !== '');
    const paragraph = (text: string) => ({
      object: 'block',
      type: 'paragraph',
      nodes: [{ object: 'text', leaves: [{ object: 'leaf', text, marks: [] }] }],
    });
    const document = {
      object: 'document',
      data: {},
      nodes: texts.map(paragraph),
    } as Book['pages'][0]['document'];
    const anything = fc.sample(fc.string({ unit: 'binary' }), { numRuns: 100, seed: 7 });
    const bytes = await make(
      manuscriptOf(
        bookOf('', {
          title: hostile.join(' '),
          pages: [
            { id: '"', title: hostile.join(' '), depth: 0, document },
            {
              id: '',
              title: '',
              depth: 3,
              document: { object: 'document', data: {}, nodes: anything.map(paragraph) } as typeof document,
            },
          ],
        }),
      ),
    );
    const read = textOf(bytes);
    for (const text of texts) expect(read, text).toContain(text.replace(/\s/g, ''));
  });

  it('holds all symbols that formulas know', async () => {
    const { SYMBOLS, FUNCTIONS, CALLS } = await import('../../content-engine/render/typst/math/symbols.ts');
    const commands = [
      [...SYMBOLS.keys(), ...FUNCTIONS].map((name) => `\\${name}`).join(' '),
      [...CALLS.keys()].map((name) => `\\${name}{x}`).join(' '),
      'a\\,b\\:c\\;d\\!e\\ f\\quad g\\qquad h \\% \\$ \\# \\& \\_ \\{ \\}',
      "f'(x)^2_i \\left[\\frac{a}{b}\\right\\} \\binom{n}{k} \\sqrt[3]{x} \\overset{a}{=} \\underset{b}{=} \\not= \\pmod{n}",
      '\\begin{cases} 1 & x \\\\ 2 & y \\end{cases} \\begin{aligned} a &= b \\\\ c &= d \\end{aligned}',
      '\\begin{Vmatrix} 1 \\end{Vmatrix} \\begin{array}{cc} 1 & 2 \\end{array} \\operatorname{rank} {}^{2}x \\text{a "b" #c}',
    ];
    const manuscript = manuscriptOf(bookOf(commands.map((command) => `$$\n${command}\n$$`).join('\n\n')));
    expect(manuscript.sheets[0]?.markup.match(/#equation\(true/g)?.length).toBe(commands.length);
    expect((await make(manuscript)).length).toBeGreaterThan(1000);
  });
});

describe('the compiler', { timeout: PATIENCE }, () => {
  it('says what is wrong', async () => {
    await expect(make(sheetsOf('#panic("no")'))).rejects.toMatchObject({
      reason: 'failed',
      message: expect.stringContaining('no') as string,
    });
  });

  it('reads no file that was not given to it', async () => {
    await expect(make(sheetsOf('#read("/etc/passwd")'))).rejects.toBeInstanceOf(PdfError);
  });

  it('tries what does not fit into memory in halves, and names the page that fits in none', async () => {
    const endless = '#{ let all = "x" * 400000000 }';
    await expect(make(sheetsOf('Small', 'Small', endless))).rejects.toMatchObject({
      reason: 'too-large',
      sheet: 'A page',
    });
    const large = sheetOf('#if sys.inputs.unreadable == "" { let all = "x" * 400000000 }');
    const bytes = await make({
      ...sheetsOf('Small'),
      sheets: [sheetOf('Small'), { ...large, files: ['/large'] }],
      readFile: () => Promise.resolve(PNG),
    });
    expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('gives up after the time that it is given, and when the document is not wanted any more', async () => {
    // The compiler ends `while` loops by itself after many iterations.
    const endless = sheetsOf('#{ let all = range(100000); for x in all { for y in all { } } }');
    const write = () => Promise.resolve(endless);
    const impatient = createPdf({ limitMs: 500 });
    await expect(impatient.make({ owner: 'a', signal: wanted, write })).rejects.toMatchObject({
      reason: 'too-large',
    });
    const hangUp = new AbortController();
    const begun = gate();
    const making = pdf.make({ owner: 'a', signal: hangUp.signal, write: () => (begun.resolve(), write()) });
    await begun.promise;
    hangUp.abort();
    await expect(making).rejects.toMatchObject({ reason: 'cancelled' });
    expect((await make(sheetsOf('Next'))).subarray(0, 5).toString()).toBe('%PDF-');
  });

  it('makes the document of another owner between the parts of a long one', async () => {
    const made: string[] = [];
    const files = Array.from({ length: 60 }, (_, n) => `/${n}`);
    const long = { ...sheetsOf(), sheets: Array.from({ length: 6 }, () => ({ ...sheetOf('Long'), files })) };
    const begun = gate();
    const first = pdf
      .make({ owner: 'a', signal: wanted, write: () => (begun.resolve(), Promise.resolve(long)) })
      .then(() => made.push('long'));
    await begun.promise;
    const second = pdf
      .make({ owner: 'b', signal: wanted, write: () => Promise.resolve(sheetsOf('Short')) })
      .then(() => made.push('short'));
    await Promise.all([first, second]);
    expect(made).toEqual(['short', 'long']);
  });
});
