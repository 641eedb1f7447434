import { plainTextNode, type BlockNode } from '../../../document/index.ts';
import {
  attribute,
  classesOf,
  find,
  findAll,
  isElement,
  isText,
  parentOf,
  textOf,
  type ChildNode,
  type Element,
} from '../../dom.ts';
import type { BlockConverter, Conversion } from '../context.ts';

/** Blocks of code, with their language and title, without line numbers. */

const WRAPPER =
  /^(?:highlight|highlighter-rouge|highlight-.+|code|codeblock.*|code-block.*|codeBlockContainer.*|theme-code-block.*|language-.+|sourceCode|mw-highlight|literal-block-wrapper|snippet.*|highlighttable|rouge-table|lntable|expressive-code|CodeBlock.*|group\/codeblock|syntaxhighlighter.*|listingblock)$/;

export const convertCode: BlockConverter = (element, conversion) => {
  if (element.tagName === 'pre') return [codeBlock(element, element)];
  const { pre } = conversion.measures(element);
  if (pre === 0 || pre > 2 || !isWrapper(element)) return undefined;
  const all = findAll(element, ({ tagName }) => tagName === 'pre');
  const code = all.filter((one) => !isGutter(one) && !hasGutterParent(one));
  const [only, ...more] = code.length > 0 ? code : all;
  if (!only || more.length > 0 || hasOtherText(element, conversion)) return undefined;
  return [codeBlock(element, only)];
};

const isWrapper = (element: Element): boolean =>
  (element.tagName === 'figure' || classesOf(element).some((name) => WRAPPER.test(name))) &&
  element.tagName !== 'code';

/** A wrapper that also holds paragraphs is a part of the page. */
const hasOtherText = (element: Element, { measures }: Conversion): boolean =>
  measures(element).heading || (measures(element).paragraph && element.tagName !== 'figure');

const GUTTER =
  /^(?:linenos|lineno|linenodiv|line-numbers-wrapper|line-numbers-rows|line-number|lnt|ln|gutter|rouge-gutter|gl|hljs-ln-numbers|blob-num)$/;

const isGutter = (element: Element): boolean => classesOf(element).some((name) => GUTTER.test(name));

const hasGutterParent = (element: Element): boolean => {
  const cell = parentOf(element);
  const outer = cell && parentOf(cell);
  const isFirstOfTwo =
    outer !== undefined &&
    classesOf(cell as Element).includes('lntd') &&
    outer.childNodes.find(isElement) === cell;
  return (cell !== undefined && isGutter(cell)) || (outer !== undefined && isGutter(outer)) || isFirstOfTwo;
};

function codeBlock(outer: Element, pre: Element): BlockNode {
  const syntax = syntaxOf(pre);
  const title = titleOf(outer, pre);
  const lines = codeText(pre).replace(/\r\n?/g, '\n').replace(/^\n+/, '').trimEnd().split('\n');
  return {
    object: 'block',
    type: 'code',
    data: { ...(syntax === undefined ? {} : { syntax }), ...(title === '' ? {} : { title }) },
    nodes: lines.map((line) => ({
      object: 'block',
      type: 'code-line',
      data: {},
      nodes: [plainTextNode(line)],
    })),
  };
}

const LINE = /^(?:line|token-line|code-line|view-line|cl|ec-line)$/;

/** The text of code. Lines are separated by line feeds, by breaks, or by elements. */
function codeText(pre: Element): string {
  const parts: string[] = [];
  const pending: (ChildNode | 'end' | 'empty')[] = [];
  let last = '';
  const write = (text: string): void => {
    if (text === '') return;
    parts.push(text);
    last = text.charAt(text.length - 1);
  };
  /** Adds nodes in reverse, and the end of each line behind its content. */
  const add = (children: readonly ChildNode[]): void => {
    for (let at = children.length - 1; at >= 0; at--) {
      const child = children[at] as ChildNode;
      if (isLine(child) && !breaksLine(children[at + 1]))
        pending.push(child.childNodes.length === 0 ? 'empty' : 'end');
      pending.push(child);
    }
  };
  add(pre.childNodes);
  for (let node = pending.pop(); node; node = pending.pop()) {
    if (node === 'empty' || (node === 'end' && last !== '\n')) write('\n');
    else if (node === 'end') continue;
    else if (isText(node)) write(node.value.replaceAll('\u200b', '').replaceAll('\u00a0', ' '));
    else if (isElement(node) && node.tagName === 'br') write('\n');
    else if (isElement(node) && !isGutter(node) && !isHidden(node) && !/^(?:button|svg)$/.test(node.tagName))
      add(node.childNodes);
  }
  return parts.join('');
}

/** Lines of an example that mdBook compiles and does not show. */
const isHidden = (element: Element): boolean =>
  element.tagName === 'span' && classesOf(element).includes('boring');

const isLine = (node: ChildNode): node is Element =>
  isElement(node) &&
  (/^(?:div|li|p|tr)$/.test(node.tagName) || classesOf(node).some((name) => LINE.test(name)));

const breaksLine = (next: ChildNode | undefined): boolean =>
  next !== undefined && ((isText(next) && next.value.startsWith('\n')) || next.nodeName === 'br');

const LANGUAGE =
  /^(?:language-|lang-|highlight-source-|highlight-text-|highlight-|mw-highlight-lang-|brush:\s*)([\w+#.-]+)$/i;
const NO_LANGUAGE = new Set(['default', 'none', 'text', 'plaintext', 'plain', 'txt', 'nohighlight', 'notranslate', 'wrapper', 'source', 'python3-default', 'ps1', 'auto']); // prettier-ignore
const RENAMED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ipython3: 'python',
    ipython: 'python',
    python3: 'python',
    pycon: 'python',
    'c#': 'csharp',
    'shell-session': 'console',
  }),
);

/** Looked for in the code, the block, and what is around it. */
function syntaxOf(pre: Element): string | undefined {
  const code = find(pre, ({ tagName }) => tagName === 'code');
  let element: Element | undefined = code ?? pre;
  for (let level = 0; element && level < 6; level++, element = parentOf(element)) {
    const found = languageOf(element);
    if (found !== undefined) return NO_LANGUAGE.has(found) ? undefined : (RENAMED.get(found) ?? found);
    if (/^(?:li|section|article|main|body)$/.test(element.tagName)) break;
  }
  return undefined;
}

function languageOf(element: Element): string | undefined {
  const named =
    attribute(element, 'data-lang') ?? attribute(element, 'data-language') ?? attribute(element, 'lang-name');
  const brush = /brush:\s*([\w+#-]+)/i.exec(
    `${attribute(element, 'data-syntaxhighlighter-params') ?? ''} ${attribute(element, 'class') ?? ''}`,
  )?.[1];
  const classes = classesOf(element);
  const byClass = classes.map((name) => LANGUAGE.exec(name)?.[1]).find((name) => name !== undefined);
  const sourceCode = classes.includes('sourceCode')
    ? classes.find((name) => name !== 'sourceCode')
    : undefined;
  const found = (named ?? brush ?? byClass ?? sourceCode)?.toLowerCase();
  if (found === undefined && classes.includes('mermaid')) return 'mermaid';
  return found !== undefined && /^[a-z0-9+#._-]{1,30}$/.test(found) ? found : undefined;
}

const TITLE =
  /^(?:filename|code-title|code-block-title|codeBlockTitle.*|code-block-caption|codeHeader|code-header|remark-code-title|expressive-code-title|title|CodeBlock-title)$/;

function titleOf(outer: Element, pre: Element): string {
  const named = attribute(pre, 'data-title') ?? attribute(outer, 'data-title') ?? attribute(pre, 'title');
  if (named !== undefined) return named.trim().slice(0, 200);
  const element = find(
    outer,
    (one) =>
      (one.tagName === 'figcaption' || classesOf(one).some((name) => TITLE.test(name))) &&
      one.tagName !== 'pre',
  );
  return element && element !== pre && !containsPre(element) ? textOf(element).slice(0, 200) : '';
}

const containsPre = (element: Element): boolean =>
  find(element, ({ tagName }) => tagName === 'pre') !== undefined;
