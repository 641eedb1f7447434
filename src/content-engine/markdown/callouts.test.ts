import { describe, expect, it } from 'vitest';
import { childBlocks, plainText, type BlockNode, type JSONDocument } from '../document/index.ts';
import { analyse, editMarkdown, parseDocument, toMarkdown } from './index.ts';

/** Callouts in the syntax of GitHub, Obsidian, Docusaurus, VitePress and MkDocs. */

/** `warning[text|code]` */
const outline = (blocks: readonly BlockNode[]): string =>
  blocks
    .map((block) => {
      if (block.type === 'hint') return `${block.data?.style}[${outline(childBlocks(block))}]`;
      if (childBlocks(block).length > 0) return `${block.type}(${outline(childBlocks(block))})`;
      return block.type === 'paragraph' ? toMarkdown(documentOf([block])).trim() : block.type;
    })
    .join('|');
const documentOf = (nodes: BlockNode[]): JSONDocument => ({ object: 'document', data: {}, nodes });
const read = (text: string): string => outline(parseDocument(text).nodes);

describe('alerts', () => {
  it.each([
    ['> [!NOTE]\n> Text', 'info[Text]'],
    ['> [!TIP]\n> Text', 'success[Text]'],
    ['> [!IMPORTANT]\n> Text', 'info[Text]'],
    ['> [!WARNING]  \n> Text\nlazy\n\nAfter', 'warning[Text lazy]|After'],
    ['> [!CAUTION]\n>\n> * a\n>\n> ```\n> b\n> ```', 'danger[list-unordered(list-item(a))|code(code-line)]'],
    ['> [!bug]- A *title* here\n> Text', 'danger[**A _title_ here**|Text]'],
    ['> [!todo] Only a title', 'info[**Only a title**]'],
    ['* a\n\n  >[!note]\n  >Text', 'list-unordered(list-item(a|info[Text]))'],
    ['> > [!note]\n> > Text', 'blockquote(info[Text])'],
    ['> [!NOTE]', 'blockquote(\\[!NOTE])'],
    ['> [!unknown]\n> Text', 'blockquote(\\[!unknown] Text)'],
    ['> Text\n> [!NOTE]\n> Text', 'blockquote(Text \\[!NOTE] Text)'],
    ['>     [!NOTE]\n> Text', 'blockquote(code(code-line)|Text)'],
  ])('%j', (text, expected) => {
    expect(read(text)).toBe(expected);
  });
});

describe('directives', () => {
  it.each([
    [':::note\nText\n:::', 'info[Text]'],
    [':::tip[A `title`]{#id .class}\n\nText\n\n:::\nAfter', 'success[**A `title`**|Text]|After'],
    ['::: danger STOP {#id}\nText\n:::', 'danger[**STOP**|Text]'],
    [':::caution{title="A title"}\nText\n:::', 'warning[**A title**|Text]'],
    ['Before\n:::warning\nText\n:::', 'Before|warning[Text]'],
    ['::::info\n:::tip\nText\n:::\n::::', 'info[success[Text]]'],
    [':::info\n:::tip\nText\n:::\n:::', 'info[success[Text]]'],
    [':::info\n* a\n\n  b\n:::\nAfter', 'info[list-unordered(list-item(a|b))]|After'],
    ['1. a\n\n   :::note\n   Text\n   :::\n\n2. b', 'list-ordered(list-item(a|info[Text])|list-item(b))'],
    [':::info\n```\n:::\n```\n:::', 'info[code(code-line)]'],
    [':::details Summary\nText\n:::', 'info[**Summary**|Text]'],
    [':::note\nText', '\\:::note Text'],
    ['::: code-group\nText\n:::', '\\::: code-group Text :::'],
    [':::\n\n:::', '\\:::|\\:::'],
  ])('%j', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it('without an end are stored unchanged, with the blocks in them', () => {
    const text = ':::note A title\n\n* :::\n';
    const { document, warnings } = analyse(text);
    expect(document.nodes.map(({ type }) => type)).toEqual(['code', 'paragraph', 'list-unordered']);
    expect(warnings.map(({ kind }) => kind)).toEqual(['unclosed-block']);
    expect(editMarkdown(text, document)).toBe(text);
  });
});

describe('admonitions', () => {
  it.each([
    ['!!! note\n    Text', 'info[Text]'],
    ['!!! note\n\n    Text\n\n        code\n\nAfter', 'info[Text|code(code-line)]|After'],
    ['!!! warning "A **title**"\n    Text\nAfter', 'warning[**A title**|Text]|After'],
    ['!!! danger ""\n    Text', 'danger[Text]'],
    ['??? failure "Folded"\n    Text', 'danger[**Folded**|Text]'],
    ['???+ example\n    Text', 'info[Text]'],
    ['!!! k8s inline end "Title"\n\tText', 'info[**Title**|Text]'],
    ['!!! tip Title\n    Text', 'success[**Title**|Text]'],
    ['!!! success "Done"', 'success[**Done**]'],
    ['Before\n!!! note\n    Text', 'Before|info[Text]'],
    ['!!! note\n    !!! tip\n        Text\n\n    After', 'info[success[Text]|After]'],
    ['!!! note\n    * a\n    * b', 'info[list-unordered(list-item(a)|list-item(b))]'],
    ['- a\n\n    !!! note\n        Text\n\n- b', 'list-unordered(list-item(a|info[Text])|list-item(b))'],
    ['> !!! note\n>     Text', 'blockquote(info[Text])'],
    ['!!! attention please', '\\!!! attention please'],
    ['-   a\n\n    !!! note\n    Text', 'list-unordered(list-item(a|\\!!! note Text))'],
    ['What???', 'What???'],
  ])('%j', (text, expected) => {
    expect(read(text)).toBe(expected);
  });
});

describe('callouts that are edited', () => {
  const TEXT =
    '> [!WARNING]\n> Some *old* text\n\n:::tip The title\nsecond\n:::\n\n!!! bug "Bug"\n\n    third\n\nLast\n';

  const edited = (change: (nodes: BlockNode[]) => void): string => {
    const document = parseDocument(TEXT);
    change(document.nodes);
    return editMarkdown(TEXT, document);
  };
  const within = (nodes: BlockNode[], index: number): BlockNode[] => childBlocks(nodes[index] as BlockNode);
  const paragraph = parseDocument('New').nodes[0] as BlockNode;

  it('stay as they are with new blocks before and after the others', () => {
    const add = (nodes: BlockNode[], at: number, index: number): void => {
      const into = nodes[at] as BlockNode & { nodes: BlockNode[] };
      into.nodes = [...into.nodes];
      into.nodes.splice(index, 0, paragraph);
    };
    expect(edited((nodes) => add(nodes, 0, 0))).toBe(TEXT.replace('> Some', '> New\n>\n> Some'));
    expect(edited((nodes) => add(nodes, 0, 1))).toBe(TEXT.replace(' text\n', ' text\n>\n> New\n'));
    expect(edited((nodes) => add(nodes, 1, 1))).toBe(TEXT.replace('second', '\nNew\n\nsecond'));
    expect(edited((nodes) => add(nodes, 2, 2))).toBe(TEXT.replace('third\n', 'third\n\n    New\n'));
  });

  it('become hints of the flavour where their syntax has no form', () => {
    const restyled = edited((nodes) => {
      nodes[0] = { ...nodes[0], data: { style: 'danger', icon: 'skull' } } as BlockNode;
    });
    expect(restyled).toBe(
      TEXT.replace(
        '> [!WARNING]\n> Some *old* text',
        '{% hint style="danger" icon="skull" %}\nSome *old* text\n{% endhint %}',
      ),
    );
  });

  it('have no marks in the text of a search', () => {
    expect(plainText(parseDocument(TEXT))).toBe('Some old text\nThe title\nsecond\nBug\nthird\nLast');
    expect(within(parseDocument(TEXT).nodes, 1)).toHaveLength(2);
  });
});
