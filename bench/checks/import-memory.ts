import { residentMemory } from '../child.ts';
import { atMost, type Check } from '../check.ts';
import { startSite } from '../site.ts';
import { createSpace } from '../space.ts';
import { attack, startVictim } from '../victim.ts';

const SOURCES: readonly [name: string, source: string, path: string, status: readonly number[]][] = [
  ['a page of 200 MB', 'website', '/page-of-200-mb', [413]],
  ['a file of 200 MB', 'html', '/page-of-200-mb', [413]],
  ['a gzip bomb of 1 GB', 'website', '/gzip-bomb', [413]],
  ['a page of 140,000 nodes', 'website', '/elements', [201]],
  ['pages of 1.9 MB', 'website', '/large-pages/', [201]],
  ['pictures of 19 MB', 'website', '/pictures/', [201]],
  ['a ZIP bomb of 240 MB', 'zip', '/bomb.zip', [201, 422]],
  ['a ZIP of 98 MB', 'zip', '/large.zip', [201]],
  ['a Word document of 15 MB', 'docx', '/text.docx', [413]],
  ['a Word document of 147,000 elements', 'docx', '/elements.docx', [201]],
  ['a Word document of 300 MB', 'docx', '/large.docx', [413]],
];

/** How much the memory of a server grows while it imports from a hostile source. */
export const importMemoryChecks: readonly Check[] = SOURCES.map(([name, source, path, statuses]) => ({
  name: `import of ${name}: growth of memory`,
  aim: atMost(300, 'MB'),
  async measure({ cleanup }) {
    const site = await startSite(cleanup, 'hostile-site-server.ts');
    const victim = await startVictim(cleanup);
    const spaceId = await createSpace(victim.api);
    const before = (residentMemory(victim.server.pid) ?? 0) / 2 ** 20;
    let status = 0;
    const { peakMb } = await victim.observe(async () => {
      const body = JSON.stringify({ url: site + path, source });
      ({ status } = await attack(victim.server, { path: `/v1/spaces/${spaceId}/content/import`, body }));
      return [];
    });
    await victim.server.stop();
    if (!statuses.includes(status)) throw new Error(`the import of ${name} was answered with ${status}`);
    return peakMb - before;
  },
}));
