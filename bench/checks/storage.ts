import { atMost, type Check } from '../check.ts';
import { pageAt } from '../corpus.ts';
import { storedBytes } from '../database.ts';
import { editAt, makeEdits, spaceOf } from '../space.ts';

const PAGES = 1000;
const EDITS_OF_EACH = 10;
const EDITS = PAGES * EDITS_OF_EACH;

function distinctMarkdown(): number {
  let bytes = 0;
  for (let page = 0; page < PAGES; page++) bytes += Buffer.byteLength(pageAt(page).markdown);
  for (let n = 0; n < EDITS; n++) bytes += Buffer.byteLength(editAt(PAGES, n).markdown);
  return bytes;
}

/** One request, and therefore one revision, per edit. */
export const storageChecks: readonly Check[] = [
  {
    name: `stored bytes of ${PAGES} pages with ${EDITS_OF_EACH} edits each, relative to the distinct Markdown`,
    aim: atMost(2, 'x'),
    async measure({ api, server }) {
      const before = await storedBytes(server.data);
      const space = await spaceOf(api, PAGES);
      await makeEdits(api, space, 0, EDITS);
      return ((await storedBytes(server.data)) - before) / distinctMarkdown();
    },
  },
];
