import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseDocument } from '../../src/content-engine/markdown/index.ts';
import { renderHtml } from '../../src/content-engine/render/html/index.ts';
import {
  iconHref,
  openAssets,
  type Customization,
  type PageBody,
  type PageView,
  type SearchView,
  type SiteView,
  type TreeEntry,
} from '../../src/site/index.ts';
import { effectiveCustomization } from '../../src/domains/customization/index.ts';

const { themes, ...settings } = effectiveCustomization();
/** The design of a new site. */
export const DEFAULT_DESIGN: Customization = { ...settings, themes: { ...themes, default: 'system' } };

/** A site and a page with every part and every block, as the server would fill them. */

const assets = openAssets(path.join(import.meta.dirname, '../../dist/site'));

export const sampleSite = (
  settings: Partial<Customization> = {},
  more: Partial<SiteView> = {},
): SiteView => ({
  title: 'Octavo',
  basePath: '/docs',
  language: 'en',
  customization: {
    ...DEFAULT_DESIGN,
    footer: { copyright: '© 2026 The Octavo authors' },
    privacyPolicy: { url: 'https://example.org/privacy' },
    ...settings,
  },
  assets,
  headerLinks: [
    { title: 'Source', href: 'https://example.org/source', links: [] },
    {
      title: 'Community',
      links: [
        { title: 'Forum', href: 'https://example.org/forum' },
        { title: 'Contribute', href: '/docs/contribute' },
      ],
    },
    { title: 'Install', href: '/docs/install', style: 'button-primary', links: [] },
  ],
  footerGroups: [
    { title: 'Product', links: [link('Features'), link('Changelog'), link('Roadmap')] },
    { title: 'Develop', links: [link('API reference'), link('Webhooks')] },
    { title: 'Community', links: [link('Forum'), link('Code of conduct')] },
  ],
  announcement: {
    message: [{ text: 'Octavo 2.4 keeps your Markdown byte for byte.', marks: [] }],
    style: 'info',
    link: { title: 'See what changed', href: '/docs/changelog' },
  },
  sections: [
    { kind: 'section', title: 'Guides', href: '/docs/', icon: { name: 'book' }, isCurrent: true },
    { kind: 'section', title: 'API reference', href: '/docs/api', icon: { name: 'code' }, isCurrent: false },
    {
      kind: 'group',
      title: 'Operate',
      icon: { name: 'server' },
      children: [
        {
          kind: 'section',
          title: 'Self-hosting',
          description: 'Install, back up, update',
          href: '/docs/hosting',
          isCurrent: false,
        },
        {
          kind: 'group',
          title: 'Clouds',
          children: [
            {
              kind: 'section',
              title: 'Containers',
              href: '/docs/containers',
              icon: { emoji: '1f4e6' },
              isCurrent: false,
            },
          ],
        },
      ],
    },
    {
      kind: 'section',
      title: 'Changelog',
      href: '/docs/changelog',
      icon: { name: 'clock' },
      isCurrent: false,
    },
  ],
  variants: [
    { title: '2.x', description: 'Stable, since March 2026', href: '/docs/', isCurrent: true },
    { title: '3.0 preview', description: 'Next release, may change', href: '/docs/v3/', isCurrent: false },
    { title: '1.x', description: 'Security fixes only', href: '/docs/v1/', isCurrent: false },
  ],
  ...more,
});

function link(title: string): { title: string; href: string } {
  return { title, href: `/docs/${title.toLowerCase().replaceAll(' ', '-')}` };
}

const entry = (title: string, more: object = {}): TreeEntry => ({ kind: 'page', ...link(title), ...more });

export const sampleTree: readonly TreeEntry[] = [
  entry('Start in five minutes', { icon: { name: 'bolt' } }),
  entry('How content is organized', { icon: { name: 'layer-group' } }),
  {
    kind: 'group',
    title: 'Write',
    children: [
      entry('Pages and groups'),
      entry('Blocks', { isCurrent: true, icon: { emoji: '1f9f1' } }),
      entry('Variables and reuse', { hasChildren: true }),
      entry('Files and images', { children: [entry('Sizes and formats'), entry('Dark variants')] }),
    ],
  },
  {
    kind: 'group',
    title: 'Review',
    children: [
      entry('Change requests', {
        isOpen: true,
        children: [
          entry('Ask for a review'),
          entry('Resolve a conflict'),
          entry('Merge rules', { children: [entry('Required reviewers')] }),
        ],
      }),
      entry('Create a comment', { method: 'POST' }),
    ],
  },
  {
    kind: 'group',
    title: 'Publish',
    children: [
      entry('Sites and sections'),
      { kind: 'link', title: 'Status page', href: 'https://status.example.org/' },
      { kind: 'more', href: '/docs/~octavo/contents', count: 1204 },
    ],
  },
];

/** Pictures that `serve.ts` serves, and a file. */
export const SAMPLE_PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 240 120"><path fill="#dfe6ff" d="M0 0h240v120H0z"/><path fill="#3b4cca" d="M84 42h72v8H84zM84 60h60v6H84z"/></svg>';

const read = (name: string): string => readFileSync(path.join(import.meta.dirname, name), 'utf8');

/** Rendered as the server does. Specifications cannot be stored yet, so that the layout of an operation is a sample. */
function everyBlock(): PageBody {
  const { html, outline } = renderHtml(parseDocument(read('every-block.md')), {
    targetOf(ref) {
      if (ref.kind === 'tag') return { title: ref.tag };
      if (ref.kind === 'anchor') return { href: `#${ref.anchor}` };
      if (ref.kind !== 'url') return undefined;
      return ref.url.endsWith('.md')
        ? { ...link('Change requests'), description: 'Propose a change to any number of pages.' }
        : { href: ref.url };
    },
    fileOf(ref) {
      const name =
        (ref.kind === 'url' ? ref.url : ref.kind === 'file' ? ref.file : '').split('/').at(-1) ?? '';
      if (name.endsWith('.svg')) return { src: `/docs/${name}`, name, width: 240, height: 120 };
      return name.endsWith('.pdf') ? { src: `/docs/${name}`, name, size: 1_800_000 } : undefined;
    },
    iconHref: (name) => iconHref(sampleSite(), name),
    actionHref: () => '/docs/~octavo/search',
  });
  return { html: html + read('api-operation.html'), outline };
}

export const samplePage = (more: Partial<PageView> = {}): PageView => ({
  title: 'Blocks',
  description:
    'Every block a page can hold, on one page: how it looks to your readers, and the few words of Markdown that make it.',
  icon: { name: 'cubes' },
  layout: {
    width: 'default',
    cover: true,
    title: true,
    description: true,
    tableOfContents: true,
    outline: true,
    pagination: true,
    metadata: true,
  },
  breadcrumbs: [link('Guides'), link('Write')],
  tree: sampleTree,
  body: everyBlock(),
  previous: link('Pages and groups'),
  next: link('Variables and reuse'),
  updatedAt: '2026-11-12T09:30:00.000Z',
  editHref: 'https://example.org/edit/blocks.md',
  markdownHref: '/docs/blocks.md',
  pdfHref: '/docs/~octavo/pdf?page=blocks',
  mcpHref: '/docs/~octavo/mcp',
  feedback: { action: '/docs/~octavo/feedback', fields: { page: 'blocks' } },
  head: { canonical: 'https://docs.example.org/docs/blocks', isIndexed: true },
  ...more,
});

export const sampleSearch: SearchView = {
  query: 'merge rules',
  count: 14,
  scopes: [
    { title: 'Everything', href: '/docs/~octavo/search?q=merge+rules', isCurrent: true },
    { title: 'Guides', href: '/docs/~octavo/search?q=merge+rules&scope=guides', isCurrent: false },
  ],
  results: [
    {
      title: 'Merge rules',
      titleParts: [{ text: 'Merge rules', isMatch: true }],
      href: '/docs/merge-rules',
      path: ['Guides', 'Review', 'Change requests'],
      sections: [
        {
          href: '/docs/merge-rules#required',
          title: [{ text: 'Required reviewers', isMatch: false }],
          excerpt: [
            { text: 'A ', isMatch: false },
            { text: 'merge', isMatch: true },
            { text: ' waits until each rule is met. Name people or whole teams.', isMatch: false },
          ],
        },
      ],
    },
    {
      title: 'Change requests',
      href: '/docs/change-requests',
      icon: { name: 'code-pull-request' },
      path: ['Guides'],
      sections: [],
    },
  ],
};
