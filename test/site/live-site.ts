import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { startImporting, zipOf, type Importing } from '../importing.ts';
import { aPublishedSite, type PublishedSite } from '../published-site.ts';
import { listening } from '../socket.ts';

/** The page with every block of the flavour, through the program: imported as Markdown, published, served. */

const drawing = (paper: string, ink: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="240" viewBox="0 0 240 120"><path fill="${paper}" d="M0 0h240v120H0z"/><path fill="${ink}" d="M84 42h72v8H84zM84 60h60v6H84z"/></svg>`;

const EVERY_BLOCK = readFileSync(path.join(import.meta.dirname, 'every-block.md'), 'utf8');

const LONG_LEVEL = Array.from({ length: 250 }, (_each, n) => `Note ${n + 1}`);

const BOOK = {
  'SUMMARY.md': `# Table of contents

* [Start in five minutes](README.md)
* [How content is organized](organized.md)

## Write

* [Blocks](blocks.md)
* [Files and images](files.md)
  * [Sizes and formats](sizes.md)

## Review

* [Change requests](change-requests.md)
  * [Merge rules](merge-rules.md)
* [Status page](https://status.example.org/)
`,
  'README.md': '# Start in five minutes\n\nWelcome. Read about [blocks](blocks.md).\n',
  'organized.md': '---\nicon: layer-group\n---\n\n# How content is organized\n\nText.\n',
  'blocks.md': `---\ndescription: >-\n  Every block a page can hold, on one page: how it looks to your readers, and\n  the few words of Markdown that make it.\nicon: cubes\n---\n\n# Blocks\n\n${EVERY_BLOCK}`,
  'files.md': '# Files and images\n\nText.\n',
  'sizes.md': '# Sizes and formats\n\nText.\n',
  'change-requests.md':
    '---\ndescription: Propose a change to any number of pages.\n---\n\n# Change requests\n\nA merge waits until each rule is met.\n',
  'merge-rules.md': '# Merge rules\n\nA merge waits until each rule is met.\n',
  '.gitbook/vars.yaml': 'version: "2.4"\n',
  '.gitbook/assets/plan.svg': drawing('#dfe6ff', '#3b4cca'),
  '.gitbook/assets/night.svg': drawing('#1d2440', '#a9b6ff'),
  '.gitbook/assets/handbook-2.4.pdf': '%PDF-1.4\n%%EOF\n',
};

export interface LiveSite {
  readonly importing: Importing;
  readonly site: PublishedSite;
  readonly origin: string;
  /** The site space with a level of 250 pages. */
  readonly notesSiteSpace: string;
  addressOf(path: string): string;
}

const link = (title: string) => ({ title, to: { kind: 'url', url: `https://example.org/${title.length}` } });

/** Every part of a page is shown: sections, groups, variants, links, announcement, footer. */
export async function aLiveSite(): Promise<LiveSite> {
  const importing = await startImporting({ '/book.zip': zipOf(BOOK) });
  const { app, side, contents, importInto } = importing;
  const origin = `http://127.0.0.1:${(await listening(app)).port}`;
  const site = await aPublishedSite(app, side, { title: 'Octavo' });
  const { space } = await site.addSpace('2.x');
  const imported = await importInto(`${space}/content`, 'zip', '/book.zip');
  expect(imported.status, imported.text).toBeLessThan(300);
  const spaces = `/v1/orgs/${side.organizationId}/spaces`;
  const notes = await site.change('POST', spaces, { title: 'Notes', editMode: 'live' });
  for (let start = 0; start < LONG_LEVEL.length; start += 50)
    await contents.edit(
      `/v1/spaces/${notes.id}`,
      ...LONG_LEVEL.slice(start, start + 50).map((title) => ({ operation: 'insert_page', title })),
    );
  const preview = await site.change('POST', spaces, { title: '3.0 preview', editMode: 'live' });
  // The first section takes the site spaces that the site has: they become variants.
  const guides = { spaceId: preview.id, title: 'Guides', icon: 'book' };
  await site.change('POST', `${site.site}/sections`, guides);
  const section = await site.change('POST', `${site.site}/sections`, {
    spaceId: notes.id,
    title: 'Notes',
    description: 'One page for each',
    icon: 'clock',
    path: 'notes',
  });
  await site.change('POST', `${site.site}/section-groups`, {
    title: 'More',
    icon: 'layer-group',
    sections: [section.id],
  });
  await site.change('PUT', `${site.site}/customization`, {
    header: {
      links: [
        { ...link('Source'), links: [] },
        { title: 'Community', to: null, links: [link('Forum'), link('Contribute')] },
        { ...link('Install'), style: 'button-primary', links: [] },
      ],
    },
    footer: {
      copyright: '© 2026 The Octavo authors',
      groups: [
        { title: 'Product', links: [link('Features'), link('Changelog'), link('Roadmap')] },
        { title: 'Community', links: [link('Forum'), link('Code of conduct')] },
      ],
    },
    announcement: {
      enabled: true,
      message: 'Octavo 2.4 keeps your Markdown byte for byte.',
      style: 'info',
      link: link('See what changed'),
    },
    privacyPolicy: { url: 'https://example.org/privacy' },
  });
  const { items } = await contents.get(`${site.site}/site-spaces`);
  const { id: notesSiteSpace } = items.find((item: { title: string }) => item.title === 'Notes');
  return {
    importing,
    site,
    origin,
    notesSiteSpace,
    addressOf: (below) => `${origin}/${site.basename}${below}`,
  };
}
