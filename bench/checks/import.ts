import path from 'node:path';
import { atLeast, type Bench, type Check } from '../check.ts';
import { pageAt } from '../corpus.ts';
import { writeFolder } from '../folder.ts';
import { median } from '../load.ts';
import { runCommand } from '../program.ts';
import { knownItems } from '../queries.ts';
import { waitForIdle } from '../idle.ts';
import { temporaryFolder } from '../server.ts';
import { firstHit } from './search.ts';

const PAGES = 1000;
const TIMES = 3;

interface Imported {
  readonly space: string;
  readonly pages: number;
}

/** `octavo import` beside the server. The time to start and stop, measured with one page, is subtracted. */
const folderOfPages: Check = {
  name: `import of a folder of ${PAGES} pages, search index included`,
  aim: atLeast(500, 'pages/s'),
  async measure(bench) {
    const folder = temporaryFolder(bench.cleanup);
    const [one, all] = [path.join(folder, 'one'), path.join(folder, 'all')];
    writeFolder(one, 1);
    writeFolder(all, PAGES);
    const times: number[] = [];
    for (let i = 0; i < TIMES; i++) {
      await waitForIdle(bench.options.wait);
      const start = await importOf(bench, one);
      const whole = await importOf(bench, all);
      await requireSearchable(bench, whole.result);
      times.push(whole.seconds - start.seconds);
    }
    return (PAGES - 1) / median(times);
  },
};

/** Into a new organization: another one may have stored the same texts already. */
const importOf = async ({ server, api }: Bench, folder: string) =>
  runCommand<Imported>(server.data, ['import', folder, '--org', await api.createOrganization()]);

async function requireSearchable({ api }: Bench, { space }: Imported): Promise<void> {
  for (const { page, words } of knownItems(1)) {
    const hit = await firstHit(api, space, words);
    if (hit?.title !== pageAt(page).title)
      throw new Error(`"${words.join(' ')}" is not found after the import`);
  }
}

export const importChecks: readonly Check[] = [folderOfPages];
