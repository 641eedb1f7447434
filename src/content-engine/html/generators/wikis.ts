import type { GeneratorHints } from './hints.ts';

/** Wikis, and documents that were exported as HTML. */
export const WIKIS: readonly GeneratorHints[] = [
  {
    generator: 'confluence',
    signatures: [
      { id: 'com-atlassian-confluence' },
      { className: 'confluence-information-macro' },
      { className: 'wiki-content', id: 'main-content' },
    ],
    main: ['#main-content', '.wiki-content'],
    drop: ['.page-metadata', '.toc-macro', '.pageSection', '.expand-control-icon', '.greybox'],
    navigation: [],
    title: ['#title-text', '#title-heading'],
    titleSeparator: ' : ',
    replacesIds: true,
    admonitionStyles: { note: 'warning', warning: 'danger', tip: 'success', information: 'info' },
  },
  {
    generator: 'notion',
    signatures: [{ className: 'page-title' }],
    main: ['.page-body'],
    drop: ['.table_of_contents', '.page-header-icon', '.user-icon'],
    navigation: [],
    title: ['.page-title'],
    replacesIds: true,
    opensDetails: true,
    splitsLists: true,
  },
  {
    generator: 'google-docs',
    signatures: [{ className: 'doc-content' }],
    main: ['body.doc-content', 'body'],
    drop: [],
    navigation: [],
    title: ['p.title'],
    replacesIds: true,
    splitsLists: true,
    hasStyleClasses: true,
    hasHeaderRows: true,
  },
  {
    generator: 'mediawiki',
    signatures: [{ meta: 'mediawiki' }, { className: 'mw-parser-output' }],
    main: ['#mw-content-text .mw-parser-output', '.mw-parser-output', '#mw-content-text'],
    drop: [
      '.mw-editsection', '.navbox', '.toc', '.noprint', '.metadata', '.printfooter', '.catlinks', '.mw-jump-link', '.reflist-title',
      '.mw-empty-elt', '.shortdescription', '.hatnote .noprint', '.mw-indicators', '.vertical-navbox',
    ],
    navigation: [],
    title: ['#firstHeading'],
    replacesIds: true,
  }, // prettier-ignore
  {
    generator: 'github-wiki',
    signatures: [{ id: 'wiki-wrapper' }, { id: 'wiki-body' }],
    main: ['#wiki-body .markdown-body', '#wiki-body'],
    drop: ['.octicon', '.zeroclipboard-container', '.anchor'],
    navigation: ['.wiki-pages-box', '#wiki-pages-box', '#wiki-rightbar'],
    title: ['.gh-header-title', '#wiki-wrapper h1'],
    hasSiteDescription: true,
  },
  {
    generator: 'mammoth',
    signatures: [],
    main: ['body'],
    drop: [],
    navigation: [],
    replacesIds: true,
    hasHeaderRows: true,
  },
];
