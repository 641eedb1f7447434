import type { GeneratorHints } from './hints.ts';

/** Hosted documentation, whose pages carry few classes. */
export const SERVICES: readonly GeneratorHints[] = [
  {
    generator: 'gitbook',
    signatures: [{ meta: 'gitbook' }],
    main: ['main .page-body', 'main .page-width', 'main'],
    drop: ['[data-testid=page-footer]', '.page-outline', '[aria-label=Breadcrumbs]'],
    navigation: ['[data-testid=table-of-contents]', '.page-toc', '#table-of-contents', 'aside nav'],
  },
  {
    generator: 'readme',
    signatures: [{ className: 'rm-Article' }, { className: 'rm-Markdown' }],
    main: ['.rm-Markdown', '.markdown-body'],
    drop: ['.heading-anchor-icon', '.heading-anchor', '.rm-CopyButton', '.UpdatedAt', '.PageThumbs'],
    navigation: ['.rm-Sidebar', '.hub-sidebar'],
    title: ['.rm-Article h1'],
  },
  {
    generator: 'mintlify',
    signatures: [{ meta: 'mintlify' }, { id: 'content-area' }],
    main: ['#content', '#content-area'],
    drop: ['#pagination', '#feedback', '[aria-label^=Navigate]'],
    navigation: ['#navigation-items', '#sidebar-content'],
    title: ['#page-title', '#header h1'],
  },
];
