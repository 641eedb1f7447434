import { beforeAll, describe, expect, test } from 'vitest';
import { gitSyncsOf, startGitSyncs } from '../../../test/git-sync.ts';
import { aPublishedSite, type PublishedSite } from '../../../test/published-site.ts';
import { aSide } from '../../../test/world.ts';

/** Links of a page to files of its repository that the space does not show. */

let site: PublishedSite;
const TREE = 'https://git.example.com/acme/product/tree/main';

const PAGE = `# Start

[code](../../src/main.ts#L3) [draft](../drafts/later.md) [gone](../gone.md) [next](next.md) [above](../../../../etc/passwd)
[file](../data.csv) ![logo](../../logo.png)

{% include "../.gitbook/includes/note.md" %}
`;

beforeAll(async () => {
  const { app, remote } = await startGitSyncs();
  const side = await aSide(app, 'beta');
  site = await aPublishedSite(app, side);
  const { space } = await site.addSpace('Manual');
  const git = gitSyncsOf(app, side);
  const repository = await remote.addRepository();
  await repository.commit({
    'docs/README.md': '# Welcome\n',
    'docs/SUMMARY.md': '* [Welcome](README.md)\n* [Start](guide/start.md)\n* [Next](guide/next.md)\n',
    'docs/guide/start.md': PAGE,
    'docs/guide/next.md': `# Next\n\n${'A long text. '.repeat(6000)}\n\n[code](../../src/main.ts)\n`,
    'docs/drafts/later.md': '# Later\n',
    'docs/data.csv': 'a,b\n',
    'docs/.gitbook/includes/note.md': 'See [the licence](../../../LICENSE).\n',
    'src/main.ts': 'code',
  });
  await git.import(space, repository, { repoProjectDirectory: 'docs', repoTreeURL: TREE });
});

const hrefs = (html: string): string[] =>
  Array.from(
    html.matchAll(/href="(https:\/\/git\.example\.com\/[^"]*\/tree\/[^"]*)"/g),
    ([, href]) => href ?? '',
  );

describe('a link to a file of the repository', () => {
  test('leads to its host, if it is outside of the directory or not a page', async () => {
    const { text } = await site.read('/start');
    expect(hrefs(text)).toEqual([
      `${TREE}/src/main.ts#L3`,
      `${TREE}/docs/drafts/later.md`,
      `${TREE}/LICENSE`,
    ]);
    expect(text).not.toContain(`${TREE}/logo.png`);
    expect(text).not.toContain(`${TREE}/docs/gone.md`);
  });

  test('of a large page leads there, too', async () => {
    expect(hrefs((await site.read('/next')).text)).toEqual([`${TREE}/src/main.ts`]);
  });

  test('is an address in the Markdown of the page', async () => {
    const { text } = await site.read('/next.md', { accept: 'text/markdown' });
    expect(text).toContain(`[code](${TREE}/src/main.ts)`);
  });
});
