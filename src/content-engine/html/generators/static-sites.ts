import type { GeneratorHints } from './hints.ts';

/** Generators of documentation sites from files. */
export const STATIC_SITES: readonly GeneratorHints[] = [
  {
    generator: 'docusaurus',
    signatures: [{ meta: 'docusaurus' }, { id: '__docusaurus' }],
    main: ['.theme-doc-markdown', 'article .markdown', 'main article'],
    drop: ['.theme-doc-toc-mobile', '.theme-doc-version-badge', '.theme-doc-footer', '.theme-last-updated'],
    navigation: ['.theme-doc-sidebar-menu', 'nav.menu'],
    groups: '.menu__link--sublist-caret',
  },
  {
    generator: 'mkdocs',
    signatures: [
      { meta: 'mkdocs' },
      { className: 'md-content__inner' },
      { id: 'mkdocs_search_modal' },
      { id: 'mkdocs-search-query' },
    ],
    main: ['article.md-content__inner', '.rst-content .section', '[role=main]'],
    drop: ['.md-content__button', '.md-source-file', '.md-tags', '.md-feedback', '.md-annotation__index'],
    navigation: ['.md-nav--primary', '.wy-menu-vertical', '.bs-sidenav', '.navbar-nav'],
  },
  {
    generator: 'sphinx',
    signatures: [
      { meta: 'sphinx' },
      { meta: 'docutils' },
      { className: 'sphinxsidebar' },
      { resource: '_static/pygments.css' },
      { resource: '_static/documentation_options.js' },
    ],
    main: ['article.bd-article', 'article#furo-main-content', '[role=main] [itemprop=articleBody]', '.body [role=main]', '[role=main]', '.document .body'],
    drop: ['.viewcode-link', '.toc-backref span', '.backrefs', '.fn-backref', '.rst-versions', '.related-pages', '.viewcode-back'],
    navigation: ['.wy-menu-vertical', '.sidebar-tree', '.bd-links', '.bd-sidebar-primary nav', '.sphinxsidebarwrapper'],
    listed: '.toctree-l1',
    contents: ['.toctree-wrapper'],
  }, // prettier-ignore
  {
    generator: 'vitepress',
    signatures: [{ meta: 'vitepress' }, { className: 'VPDoc' }],
    main: ['.vp-doc', '.VPHome'],
    title: ['.VPHero .name'],
    drop: ['.header-anchor', '.VPDocFooter', '.language-switch'],
    navigation: ['.VPSidebar'],
  },
  {
    generator: 'vuepress',
    signatures: [{ meta: 'vuepress' }, { className: 'theme-default-content' }],
    main: ['.theme-default-content', '.vp-page-content'],
    drop: ['.header-anchor', '.page-meta', '.page-edit', '.page-nav'],
    navigation: ['.sidebar-links', '.sidebar-items', '.vp-sidebar-items'],
  },
  {
    generator: 'docsy',
    signatures: [{ className: 'td-content' }],
    main: ['.td-content'],
    drop: ['.td-page-meta', '.feedback--link', '.td-heading-self-link', '.reading-time', '.section-index', '.text-muted', '.td-page-meta__lastmod', '.d-print-none'],
    navigation: ['#td-section-nav', '.td-sidebar-nav'],
  }, // prettier-ignore
  {
    generator: 'jekyll',
    signatures: [{ meta: 'jekyll' }],
    main: ['#main-content', '.main-content main', '.post-content', '.page__content', '.main-content'],
    drop: ['.anchor-heading', '.page__meta', '.page__share', '.btn-copy', '.child-nav'],
    navigation: ['#site-nav', '.site-nav', '.nav__list'],
    admonitions: [
      'p.note', 'p.warning', 'p.important', 'p.highlight', 'p.new', 'blockquote.note', 'blockquote.warning', 'blockquote.important',
      'blockquote.highlight', 'blockquote.new', 'p.note-title', 'p.warning-title', 'blockquote.note-title', 'blockquote.warning-title',
      'p.notice--info', 'p.notice--warning', 'p.notice--danger', 'p.notice--success', 'div.notice--info', 'div.notice--warning',
      'div.notice--danger', 'div.notice--success', 'p.tip', 'blockquote.tip', 'p.caution', 'blockquote.caution',
    ],
  }, // prettier-ignore
  {
    generator: 'docbook',
    signatures: [{ meta: 'docbook' }],
    main: ['body'],
    drop: ['.navheader', '.navfooter', '.indexterm'],
    navigation: [],
    contents: ['.toc dl', 'dl.toc'],
    described: '.refpurpose',
    title: ['.titlepage .title', '.refentrytitle'],
    admonitions: ['div.note', 'div.tip', 'div.important', 'div.warning', 'div.caution'],
  },
  {
    generator: 'mdbook',
    signatures: [{ id: 'menu-bar', className: 'menu-title' }],
    main: ['main'],
    drop: ['.nav-chapters', '.nav-wrapper'],
    navigation: ['.sidebar-scrollbox'],
    frame: /class="sidebar-iframe-outer" src="([^"]+)"/,
  },
  {
    generator: 'mdbook',
    signatures: [{ className: 'sidebar-iframe-inner' }],
    main: ['body'],
    drop: [],
    navigation: ['.chapter'],
    isFrame: true,
  },
];
