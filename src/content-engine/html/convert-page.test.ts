import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isBudgetExceeded } from '../budget.ts';
import { canonicalBlocks, textOfInlines } from '../document/index.ts';
import { parseDocument, splitSource, toMarkdown } from '../markdown/index.ts';
import { tasks } from '../tasks.ts';
import { decodeText } from './charset.ts';
import { convertPage } from './index.ts';
import type { ConvertInput } from './index.ts';

const encoder = new TextEncoder();
const input = (html: string, rest: Partial<ConvertInput> = {}): ConvertInput => ({
  kind: 'html',
  bytes: encoder.encode(html),
  url: 'https://docs.example.org/guide/page.html',
  ...rest,
});
const convert = (html: string, rest: Partial<ConvertInput> = {}) => convertPage(input(html, rest));
const bodyOf = (html: string): string => splitSource(convert(`<h1>T</h1>${html}`).markdown).body.trim();

describe('charset', () => {
  const UTF8 = encoder.encode('<p>é 漢</p>');
  const LATIN = Uint8Array.from([60, 112, 62, 0xe9]);
  const utf16 = (text: string, mark: boolean): Uint8Array => {
    const bytes = [...text].flatMap((char) => [char.charCodeAt(0) & 255, char.charCodeAt(0) >> 8]);
    return Uint8Array.from(mark ? [0xff, 0xfe, ...bytes] : bytes);
  };
  const meta = (label: string, bytes: readonly number[]): Uint8Array =>
    Uint8Array.from([...encoder.encode(`<meta charset="${label}"><p>`), ...bytes]);

  it.each<[string, Uint8Array, string, string]>([
    ['UTF-8 without a label', UTF8, '', '<p>é 漢</p>'],
    ['UTF-8 by header', UTF8, 'text/html; charset=utf-8', '<p>é 漢</p>'],
    ['UTF-8 that the header calls Latin-1', UTF8, 'text/html; charset=iso-8859-1', '<p>é 漢</p>'],
    ['UTF-8 that the header calls UTF-16', UTF8, 'text/html; charset=utf-16', '<p>é 漢</p>'],
    ['ASCII that the header calls UTF-16', encoder.encode('<p>a'), 'text/html; charset=utf-16le', '<p>a'],
    [
      'UTF-8 with a mark',
      Uint8Array.from([0xef, 0xbb, 0xbf, ...UTF8]),
      'text/html; charset=x',
      '<p>é 漢</p>',
    ],
    ['an unknown label', UTF8, 'text/html; charset=nonsense', '<p>é 漢</p>'],
    ['Latin-1 without a label', LATIN, '', '<p>é'],
    ['Latin-1 by header', LATIN, 'text/html; charset=iso-8859-1', '<p>é'],
    ['Latin-1 that the header calls UTF-8', LATIN, 'text/html; charset=utf-8', '<p>é'],
    ['quotes of Windows', Uint8Array.from([0x93, 97, 0x94]), 'text/html; charset=windows-1252', '“a”'],
    ['a label in quotes', LATIN, 'text/html; charset="ISO-8859-1"', '<p>é'],
    ['Cyrillic by meta', meta('windows-1251', [0xcf]), '', '<meta charset="windows-1251"><p>П'],
    ['Shift_JIS by meta', meta('shift_jis', [0x8a, 0xbf]), '', '<meta charset="shift_jis"><p>漢'],
    ['GBK by header', Uint8Array.from([0xba, 0xba]), 'text/html; charset=gbk', '汉'],
    [
      'a header before meta',
      meta('windows-1251', [0xe9]),
      'text/html; charset=iso-8859-1',
      '<meta charset="windows-1251"><p>é',
    ],
    ['UTF-16 by meta is UTF-8', meta('utf-16', [0xc3, 0xa9]), '', '<meta charset="utf-16"><p>é'],
    ['UTF-16 with a mark', utf16('<p>é', true), '', '<p>é'],
    ['UTF-16 by header', utf16('<p>é', false), 'text/html; charset=utf-16le', '<p>é'],
    ['nothing', new Uint8Array(), '', ''],
  ])('%s', (_name, bytes, contentType, text) => {
    expect(decodeText(bytes, contentType)).toBe(text);
  });

  it('refuses bytes that are no text', () => {
    expect(() => decodeText(Uint8Array.from([0x89, 80, 78, 71, 0, 0, 0, 13]))).toThrow('not text');
    const binary = Uint8Array.from({ length: 5000 }, (_each, n) => (n === 4000 ? 0 : 1 + ((n * 7919) % 255)));
    expect(() => decodeText(binary)).toThrow('not text');
    expect(() => decodeText(binary, 'text/markdown; charset=iso-8859-1')).toThrow('not text');
  });
});

describe('text', () => {
  it('cannot become our syntax', () => {
    const text = '{% include "/etc" %} {{ x }} [x]: y *** ## a <b> `c` | d ~~e~~ $$f$$ [^1]';
    const body = bodyOf(`<p>${text.replaceAll('<', '&lt;')}</p><p>---</p><p>- a</p><p>1. b</p><p># c</p>`);
    const [first, ...rest] = parseDocument(body).nodes;
    expect(first?.type === 'paragraph' && textOfInlines(first.nodes)).toBe(text);
    expect(rest.map(({ type }) => type)).toEqual(Array(4).fill('paragraph'));
  });

  it('has the white space that browsers show', () => {
    expect(bodyOf('<p>  a <b>b </b>c<br>  d\n e <i> f</i></p>')).toBe('a **b** c\\\nd e _f_');
    expect(bodyOf('<p>a<br><br>b</p>')).toBe('a\n\nb');
  });

  it('has links only to addresses that can be followed', () => {
    expect(
      bodyOf(
        '<p><a href="javascript:x()">a</a> <a href="data:text/html,x">b</a> <a href="VBSCRIPT:x">c</a></p>',
      ),
    ).toBe('a b c');
    const page = convert(
      '<h1>T</h1><p><a href="b.html#x">b</a> <a href="#y">y</a> <a href="/c" rel="nofollow">c</a></p>',
    );
    expect(page.links).toEqual(['https://docs.example.org/guide/b.html']);
    expect(page.markdown).toContain(
      '[b](https://docs.example.org/guide/b.html#x) [y](#y) [c](https://docs.example.org/c)',
    );
  });

  it('omits the hidden lines of mdBook', () => {
    const code = '<span class="boring">#![allow(unused)]\n</span>let a = 1;<span class="boring">\n}</span>';
    expect(bodyOf(`<pre><code class="language-rust">${code}</code></pre>`)).toBe('```rust\nlet a = 1;\n```');
  });

  it('follows <base>', () => {
    expect(convert('<base href="/other/"><h1>T</h1><p><a href="b">b</a></p>').links).toEqual([
      'https://docs.example.org/other/b',
    ]);
  });
});

describe('links to a part of the page', () => {
  it('lead to the heading that is there, follows, or is above', () => {
    const html = `<p><a href="#a">a</a> <a href="#b">b</a> <a href="#c">c</a> <a href="#d">d</a> <a href="#e">e</a></p>
      <h2 id="a">First</h2><p>x <span id="b">y</span></p><a name="c"></a><h2>Second</h2>
      <div id="d"><h3>Third</h3></div><table><tr><td><h3 id="e">Cell</h3><td>x</table>`;
    expect(bodyOf(html)).toContain('[a](#a) [b](#a) [c](#second) [d](#d) [e](#d)');
  });

  it('lead to the page where no heading is above', () => {
    expect(bodyOf('<p id="x">a</p><p><a href="#x">x</a> <a href="#top">top</a></p>')).toBe(
      'a\n\n[x](https://docs.example.org/guide/page.html) top',
    );
  });

  it('are known by id for links from other pages', () => {
    const { anchorsById, analysis } = convert(
      '<h1 id="t">T</h1><p id="p">a</p><h2 id="h">H</h2><p id="q">b</p>',
    );
    expect(analysis.anchors).toEqual(['h']);
    expect(anchorsById).toEqual(
      new Map([
        ['t', ''],
        ['p', ''],
        ['q', 'h'],
      ]),
    );
  });

  it('always lead to an anchor that exists, or to none that the page has', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'a-1', 'section', '1', 'x y', '%41', 'Ä');
    const part = fc.tuple(
      fc.constantFrom('h2', 'h3', 'p', 'div', 'span', 'details', 'li', 'td'),
      id,
      id,
      fc.constantFrom('a', 'b', 'a 1', '', '1.', 'Ä', 'x y'),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const html = parts.map(
          ([tag, own, to, text]) => `<${tag} id="${own}">${text}</${tag}><a href="#${to}">l</a>`,
        );
        const { analysis } = convert(`<h1>T</h1>${html.join('')}`);
        const anchors = new Set(analysis.anchors);
        // The parser drops a cell outside of a table.
        const ids = new Set<string>(parts.filter(([tag]) => tag !== 'td').map(([, own]) => own));
        const links = analysis.hrefs.filter(({ href }) => href.startsWith('#'));
        const led = links.map(({ href }) => decodeURIComponent(href.slice(1)));
        expect(led.filter((anchor) => ids.has(anchor) && !anchors.has(anchor))).toEqual([]);
      }),
      { numRuns: 500, seed: 74 },
    );
  });
});

describe('navigation', () => {
  const navigationOf = (list: string) =>
    convert(`<nav class="sidebar">${list}</nav><main><h1>T</h1><p>x</p></main>`).navigation.map(
      ({ depth, title, url }) =>
        `${'  '.repeat(depth - 1)}${title}${url === undefined ? '' : ` ${new URL(url).pathname}`}`,
    );
  const links = '<li><a href="/b">B</a></li><li><a href="/c">C</a></li>';

  it('has groups that are text without an element', () => {
    expect(navigationOf(`<ul><li><a href="/a">A</a></li><li>Guides<ul>${links}</ul></li></ul>`)).toEqual([
      'A /a',
      'Guides',
      '  B /b',
      '  C /c',
    ]);
    expect(
      navigationOf(`<ul><li><a href="/a">A</a></li><li>Get <b>started</b> now <ul>${links}</ul></ul>`),
    ).toEqual(['A /a', 'Get started now', '  B /b', '  C /c']);
  });

  it('has no groups of separators, or of text beside a link', () => {
    expect(
      navigationOf(
        `<ul><li>» <a href="/a">A</a> (new)<ul>${links}</ul></li><li>New: <a href="/d">D</a></li></ul>`,
      ),
    ).toEqual(['A /a', '  B /b', '  C /c', 'D /d']);
  });

  it('has titles without the numbers that screen readers leave out', () => {
    const numbered = '<li><a href="/a"><strong aria-hidden="true">1.</strong> Hello</a></li>';
    expect(navigationOf(`<ul>${numbered}${links}</ul>`)).toEqual(['Hello /a', 'B /b', 'C /c']);
  });

  it('has groups of Docusaurus that lead to their first page, also where they are closed', () => {
    const group = '<a class="menu__link--sublist-caret" role="button" href="/b">Guides</a>';
    const page = (list: string) =>
      convert(
        `<div id="__docusaurus"><nav class="menu"><ul><li><a href="/a">A</a></li>${list}</ul></nav><main><article><h1>T</h1><p>x</p></article></main></div>`,
      );
    const titles = (list: string) => page(list).navigation.map(({ title, url }) => `${title} ${url ?? ''}`);
    expect(titles(`<li>${group}<ul>${links}</ul></li>`)).toEqual([
      'A https://docs.example.org/a',
      'Guides ',
      'B https://docs.example.org/b',
      'C https://docs.example.org/c',
    ]);
    expect(titles(`<li>${group}</li>`)).toEqual(['A https://docs.example.org/a']);
    expect(page(`<li>${group}</li>`).links).toEqual(['https://docs.example.org/b']);
  });

  it('has entries beside a group where a list of their own follows', () => {
    const first = '<p>Guides</p><ul><li><a href="/a">A</a></li></ul>';
    expect(navigationOf(`${first}<ul>${links}</ul>`)).toEqual(['Guides', '  A /a', 'B /b', 'C /c']);
    const stated = `${first}<ul>${links}</ul>`.replaceAll('<li>', '<li class="toctree-l1">');
    expect(navigationOf(stated)).toEqual(['Guides', '  A /a', 'B /b', 'C /c']);
  });

  it('is no list of the topics beside a page of Sphinx', () => {
    const beside = '<h4>Next topic</h4><p><a href="next.html">Next</a></p><a href="a.html">A</a>';
    const sidebar = `<div class="sphinxsidebar"><div class="sphinxsidebarwrapper">${beside}</div></div>`;
    const page = convert(`<div class="body" role="main"><h1>T</h1><p>x</p></div>${sidebar}`);
    expect(page).toMatchObject({ generator: 'sphinx', navigation: [] });
  });

  it('follows the links of a bar with fewer pages than a list has', () => {
    const page = convert('<nav><a href="/a">A</a></nav><main><h1>T</h1><p><a href="/b">B</a></p></main>');
    expect(page.navigation).toEqual([]);
    expect(page.links).toEqual(['https://docs.example.org/a', 'https://docs.example.org/b']);
  });
});

describe('manuals of DocBook', () => {
  const docbook = (body: string) =>
    convert(`<html><head><meta name="generator" content="DocBook XSL"></head><body>${body}</body></html>`);
  const bar = '<div class="navheader"><table><tr><td><a href="a.html">Prev</a></td></tr></table></div>';
  const head = '<div class="titlepage"><h2 class="title">17. Server</h2></div>';
  const term = (href: string, purpose = ''): string => `<dt><a href="${href}">${href}</a>${purpose}</dt>`;

  it('list the pages of a chapter, and have no links to the pages around it', () => {
    const toc = `<div class="toc"><dl>${term('a.html')}<dd><dl>${term('b.html')}</dl></dd></dl></div>`;
    const page = docbook(`${bar}<div class="chapter">${head}<p>Text.</p>${toc}<h2>More</h2><p>x</p></div>`);
    expect(page.title).toBe('17. Server');
    expect(page.contents.map(({ depth, title }) => `${depth} ${title}`)).toEqual(['1 a.html', '2 b.html']);
    expect(page.markdown).toBe('# 17. Server\n\nText.\n\n## More\n\nx\n');
  });

  it('keep a list that says what its pages are about', () => {
    const toc = `<div class="toc"><dl class="toc">${term('a.html', '<span class="refpurpose"> — do a</span>')}</dl></div>`;
    const page = docbook(`${bar}<div class="reference">${head}${toc}</div>`);
    expect(page.markdown).toContain('* [a.html](https://docs.example.org/guide/a.html) — do a');
    expect(page.contents).toHaveLength(1);
  });

  it('have notes that are hints, also where they are laid out as tables', () => {
    const icon = '<td rowspan="2"><img alt="[Note]" src="note.png"></td>';
    const table = `<table border="0" summary="Note"><tr>${icon}<th>Note</th></tr><tr><td><p>Take care.</p></td></tr></table>`;
    const page = docbook(`<div>${head}<div class="note">${table}</div><p>x</p></div>`);
    expect(page.markdown).toContain('{% hint style="info" %}\nTake care.\n{% endhint %}');
    expect(page.markdown).not.toContain('note.png');
  });

  it('have notes that are hints', () => {
    const page = docbook(
      `<div>${head}<div class="tip"><h3 class="title">Tip</h3><p>Do it.</p></div><p>x</p></div>`,
    );
    expect(page.markdown).toMatch(/{% hint style="\w+" %}[^{]*Do it\./);
  });
});

describe('headings', () => {
  const markdownOf = (html: string): string => convert(html).markdown;

  it('keep two levels below a title that is a heading of the first level, as pandoc writes them', () => {
    const header = '<header><h1 class="title">T</h1></header>';
    expect(markdownOf(`<body>${header}<p>a</p><h1>One</h1><p>b</p><h2>Two</h2><p>c</p></body>`)).toBe(
      '# T\n\na\n\n## One\n\nb\n\n### Two\n\nc\n',
    );
  });

  it('keep the first section of a manual page', () => {
    const sections = '<h1>NAME</h1><p>ls - list</p><h1>SYNOPSIS</h1><p>ls [FILE]</p>';
    expect(markdownOf(`<title>ls(1)</title><body>${sections}</body>`)).toBe(
      '# ls(1)\n\n## NAME\n\nls - list\n\n## SYNOPSIS\n\nls \\[FILE]\n',
    );
  });

  it('are the title where the text begins with one of a lower level', () => {
    expect(markdownOf('<title>A - B</title><main><h2>A</h2><p>x</p><h3>C</h3><p>y</p></main>')).toBe(
      '# A\n\nx\n\n## C\n\ny\n',
    );
    expect(markdownOf('<title>T</title><main><h2>A</h2><p>x</p><h2>C</h2><p>y</p></main>')).toContain(
      '# T\n\n## A\n',
    );
  });
});

describe('asides and captions', () => {
  it('of the author are text', () => {
    expect(bodyOf('<p>a</p><aside class="topic"><p class="topic-title">More</p><p>b</p></aside>')).toContain(
      'b',
    );
    expect(
      bodyOf('<p>a</p><aside class="topic contents"><ul><li><a href="#b">b</a></ul></aside>'),
    ).not.toContain('b');
    const figure =
      '<figure><img src="a.png" alt="A"><figcaption aria-hidden="true">A cat</figcaption></figure>';
    expect(bodyOf(figure)).toContain('A cat');
  });
});

describe('metadata', () => {
  it('takes the title from the heading, the head, or the address', () => {
    expect(convert('<title>A | Site</title><h1>B</h1>').title).toBe('B');
    expect(convert('<title>A | Site</title><p>x</p>').title).toBe('A');
    expect(convert('<p>x</p>').title).toBe('Page');
  });

  it('has no description that says that there is none', () => {
    const described = (text: string) =>
      convert(`<meta name="description" content="${text}"><h1>T</h1><p>x</p>`).description;
    expect(described('None')).toBeUndefined();
    expect(described('None of it')).toBe('None of it');
  });

  it('reads robots and canonical', () => {
    const page = convert(
      '<meta name="robots" content="noindex, nofollow"><link rel="canonical" href="/a#b"><p><a href="/x">x</a></p>',
    );
    expect(page.robots).toEqual({ noIndex: true, noFollow: true });
    expect(page.links).toEqual([]);
    expect(page.canonical).toBe('https://docs.example.org/a');
  });
});

describe('spans of tables', () => {
  it('are expanded, and end with the table', () => {
    const rows = '<tr><th>a<th>b<tr><td rowspan=100000 colspan=1>x<td>1<tr><td>2';
    expect(bodyOf(`<table>${rows}</table>`)).toBe('| a | b |\n| --- | --- |\n| x | 1 |\n| x | 2 |');
    const huge = '<tr><td colspan=100000 rowspan=100000>x</td><td>y</td></tr>'.repeat(300);
    expect(bodyOf(`<table>${huge}</table>`).length).toBeLessThan(1_000_000);
  });

  it('do not repeat long cells', () => {
    const long = 'word '.repeat(20_000);
    const body = bodyOf(
      `<table><tr><td colspan=50 rowspan=200>${long}<td>x${'<tr><td>y'.repeat(200)}</table>`,
    );
    expect(body.length).toBeLessThan(2 * long.length);
    expect(body).toContain('word word');
  });
});

describe('footnotes', () => {
  const note = (text: string, references: number) =>
    bodyOf(
      `${'<p>a<sup><a href="#fn1" class="footnote-ref">1</a></sup></p>'.repeat(references)}<ol class="footnotes"><li id="fn1">${text}</li></ol>`,
    );

  it('are repeated where they are referred to again, unless they are long', () => {
    expect(note('Short.', 2).match(/Short\./g)?.length).toBeGreaterThanOrEqual(1);
    const long = 'word '.repeat(10_000);
    expect(note(long, 1000).length).toBeLessThan(2 * long.length);
  });
});

describe('links', () => {
  it('with marks are one link', () => {
    expect(bodyOf('<p><a href="/x"><code>npm</code> is <b>a</b> <b>b</b></a> c</p>')).toBe(
      '[`npm` is **a b**](https://docs.example.org/x) c',
    );
  });

  it('keep an anchor that the page does not have, and lead to the page where it has no heading', () => {
    const html =
      '<main><p id="start"><a href="#nope">A</a> <a href="#start">B</a> <a href="#bar">C</a></p></main>';
    const { markdown } = convert(`<body><nav id="bar">x</nav>${html}</body>`);
    expect(markdown).toContain('[A](#nope)');
    expect(markdown).toContain('[B](https://docs.example.org/guide/page.html)');
    expect(markdown).toContain('[C](https://docs.example.org/guide/page.html)');
  });
});

describe('drawings', () => {
  const lostOf = (html: string) => convert(`<h1>T</h1><p>a</p>${html}`).lost;

  it('are named as lost', () => {
    expect(lostOf('<svg width="300" height="200"><path d="M0 0"/></svg>')).toEqual(['<svg>']);
    expect(lostOf('<p><svg viewBox="0 0 640 480"></svg></p><svg><text>x</text></svg>')).toEqual(['<svg>']);
  });

  it('are no icons and no parts of formulas', () => {
    expect(
      lostOf('<p><svg viewBox="0 0 24 24"></svg><svg aria-hidden="true" width="300"></svg></p>'),
    ).toEqual([]);
    expect(lostOf('<p><span class="twemoji"><svg viewBox="0 0 512 512"></svg></span></p>')).toEqual([]);
    expect(lostOf('<span class="katex"><svg width="400em" viewBox="0 0 400000 1"></svg></span>')).toEqual([]);
  });
});

describe('formulas', () => {
  it('are found in containers that have no TeX themselves', () => {
    const inner = '<span class="math">\\(x\\)</span>';
    expect(bodyOf(`<p><span class="math">a ${inner} b</span></p>`)).toBe('a $$x$$ b');
    expect(bodyOf(`<div class="math"><p>a ${inner} b</p></div>`)).toBe('a $$x$$ b');
    const tex = '<annotation encoding="application/x-tex">x</annotation>';
    const katex = `<span class="katex"><math>${tex}</math><span aria-hidden="true">X</span></span>`;
    expect(bodyOf(`<div class="math"><p>a</p><p>b ${katex}</p></div>`)).toBe('a\n\nb $$x$$');
    expect(bodyOf(`<p><span class="math"><span class="katex-display"> ${katex} </span></span></p>`)).toBe(
      '$$\nx\n$$',
    );
  });
});

describe('headings in one markdown-heading', () => {
  it('have the ids of their own links', () => {
    const anchorsOf = (inside: string) =>
      convert(`<h1>T</h1><div class="markdown-heading">${inside}</div>`).analysis.anchors;
    const second = '<h2>B<a href="#two">#</a></h2>';
    expect(anchorsOf(`<h2>A</h2><a href="#one"></a>${second}`)).toEqual(['one', 'two']);
    expect(anchorsOf(`<h2>A</h2>${second}`)).toEqual(['a', 'two']);
    expect(anchorsOf(`<h2>A</h2><a href="#one"></a><div class="markdown-heading">${second}</div>`)).toEqual([
      'one',
      'two',
    ]);
  });
});

describe('wikis', () => {
  it('have no links to pages that do not exist', () => {
    expect(
      bodyOf('<p><a href="/index.php?title=X&amp;action=edit&amp;redlink=1" class="new">X</a></p>'),
    ).toBe('X');
  });

  it('have emoticons as characters', () => {
    expect(bodyOf('<p><img class="emoticon emoticon-tick" alt="(tick)" src="x.png"> done</p>')).toBe(
      '✅ done',
    );
  });
});

describe('hostile pages', () => {
  const HOSTILE: Record<string, string> = {
    'deep elements': '<div>'.repeat(100_000),
    'many elements': '<b>x</b>'.repeat(150_001),
    'many attributes': `<p ${Array.from({ length: 5000 }, (_, at) => `a${at}=1`).join(' ')}>x`,
    'formatting in every paragraph': `<p>${Array.from({ length: 600 }, (_, at) => `<b a=${at}>`).join('')}${'<p>x'.repeat(600)}`,
  };
  it.each(Object.keys(HOSTILE))('%s: one failure, and the other pages are converted', (name) => {
    const [bad, good] = tasks.convertPages([input(HOSTILE[name] ?? ''), input('<h1>A</h1><p>b</p>')]);
    expect(bad).toMatchObject({ isTooLarge: true });
    expect(good).toMatchObject({ page: { title: 'A' } });
  });

  it('bytes that are no text are a failure', () => {
    const [bad] = tasks.convertPages([{ ...input(''), bytes: Uint8Array.from([1, 0, 0, 0]) }]);
    expect(bad).toEqual({ failure: 'The page is not text.' });
  });

  it('elements inside 4,000 others lose no text', () => {
    expect(convert(`<h1>T</h1>${'<div>'.repeat(4000)}deep`).markdown).toContain('deep');
    expect(convert(`<h1>T</h1>${'<ul><li>x'.repeat(1000)}deep`).markdown).toContain('deep');
    expect(convert(`<h1>T</h1><p>${'<span>'.repeat(4000)}deep`).markdown).toContain('deep');
  });
});

describe('any tree of elements', () => {
  const TAGS = [
    'p', 'div', 'ul', 'ol', 'li', 'table', 'tr', 'td', 'th', 'blockquote', 'pre', 'code', 'b', 'i', 'a', 'span', 'h2', 'h3', 'h5', 'dl', 'dt',
    'dd', 'details', 'summary', 'section', 'figure', 'figcaption', 'sup', 'br', 'hr', 'img', 'kbd', 'em', 'del', 'mark', 'caption', 'center',
  ]; // prettier-ignore
  const ATTRIBUTES = [
    '', ' href="/x"', ' class="admonition warning"', ' class="highlight"', ' class="tabbed-set"', ' role="tablist"', ' role="tabpanel"',
    ' colspan="2"', ' rowspan="3"', ' src="/i.png"', ' id="some-id"', ' class="katex"', ' class="footnotes"', ' class="steps"', ' start="4"',
  ]; // prettier-ignore
  const { tree } = fc.letrec<{ tree: string }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'medium', withCrossShrink: true },
      fc.stringMatching(/^w[a-z]{1,6}[ \n]?$/),
      fc
        .tuple(
          fc.constantFrom(...TAGS),
          fc.constantFrom(...ATTRIBUTES),
          fc.array(tie('tree'), { maxLength: 4 }),
        )
        .map(([tag, attributes, children]) => `<${tag}${attributes}>${children.join('')}</${tag}>`),
    ),
  }));
  const page = fc
    .array(tree, { minLength: 1, maxLength: 5 })
    .map((parts) => `<h1>Title</h1>${parts.join('\n')}`);
  const words = (text: string): string[] => [...new Set(text.match(/\bw[a-z]+/g) ?? [])].toSorted();

  it('never throws, and its document is read as it was written', () => {
    fc.assert(
      fc.property(page, (html) => {
        const { markdown } = convert(html);
        const document = parseDocument(splitSource(markdown).body);
        expect(canonicalBlocks(parseDocument(toMarkdown(document)).nodes)).toEqual(
          canonicalBlocks(document.nodes),
        );
      }),
      { numRuns: 300, seed: 71 },
    );
  });

  it('loses no word', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('p', 'div', 'li', 'b', 'h3', 'dd', 'section', 'blockquote', 'span', 'ul'), {
          maxLength: 12,
        }),
        fc.nat(),
        (tags, seed) => {
          const html = tags
            .map(
              (tag, at) =>
                `<${tag}>wa${String.fromCharCode(97 + at)}b${(seed + at) % 3 === 0 ? `</${tag}>` : ''}`,
            )
            .join(' ');
          const { markdown } = convert(`<h1>Title</h1>${html}`);
          expect(words(markdown)).toEqual(words(html.replace(/<[^>]*>/g, ' ')));
        },
      ),
      { numRuns: 300, seed: 72 },
    );
  });

  it('exceeds budgets only', () => {
    fc.assert(
      fc.property(
        fc.string({
          maxLength: 200,
          unit: fc.constantFrom('<', '>', '/', 'a', 'p', ' ', '"', '=', '&', 't', 'd', '!', '-'),
        }),
        (html) => {
          try {
            convert(html);
          } catch (error) {
            expect(isBudgetExceeded(error)).toBe(true);
          }
        },
      ),
      { numRuns: 500, seed: 73 },
    );
  });
});
