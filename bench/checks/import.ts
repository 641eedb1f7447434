import path from 'node:path';
import { atLeast, type Bench, type Check } from '../check.ts';
import { pageAt } from '../corpus.ts';
import { writeFolder } from '../folder.ts';
import { median } from '../load.ts';
import { runCommand } from '../program.ts';
import { knownItems } from '../queries.ts';
import { untilQuiet } from '../quiet.ts';
import { temporaryFolder } from '../server.ts';
import { firstHit } from './search.ts';

const PAGES = 1000;
const TIMES = 3;

interface Imported {
  readonly space: string;
  readonly pages: number;
}

/** `octavo import` beside the server. What the program takes to start and end is measured with one page, and left out. */
const folderOfPages: Check = {
  name: `import of a folder of ${PAGES} pages, searchable at its end`,
  aim: atLeast(500, 'pages/s'),
  async measure(bench) {
    const folder = temporaryFolder(bench.cleanup);
    const [one, all] = [path.join(folder, 'one'), path.join(folder, 'all')];
    writeFolder(one, 1);
    writeFolder(all, PAGES);
    const times: number[] = [];
    for (let i = 0; i < TIMES; i++) {
      await untilQuiet(bench.options.wait);
      const start = await importOf(bench, one);
      const whole = await importOf(bench, all);
      await requireSearchable(bench, whole.result);
      times.push(whole.seconds - start.seconds);
    }
    return (PAGES - 1) / median(times);
  },
};

/** Into an organization of its own: another one may have the same texts stored already. */
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
