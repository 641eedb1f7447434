import {
  batchOf,
  completed,
  fill,
  insertPages,
  MB,
  refused,
  succeeded,
  times,
  words,
  type Attack,
} from '../attack.ts';
import { createSpace } from '../space.ts';
import { attack, type Response, type Victim } from '../victim.ts';

/** Hostile content: pages, comments, searches and merges. */

const REFERENCES = `[a]: http://${'x'.repeat(20_000)}\n\n${fill('[a] ', 78_000)}`;
/** Repeated up to the size that is still processed on the event loop. */
const DENSE = ['*a* ', '`a` ', '<b>a</b>', '&amp; ', '<a data-mention href="https://a.b">z', '**a*b '];
const HEADINGS = fill('a\n=\n', 2 * MB);
const TABLE = fill('-|-\n', 2 * MB);

/** Inserts pages that must be accepted, and returns their paths. */
async function pagesOf(api: Victim['api'], bodies: readonly string[]): Promise<string[]> {
  const path = `/v1/spaces/${await createSpace(api)}/content`;
  const { changes } = await api.send<{ changes: { page: { id: string } }[] }>({
    method: 'POST',
    path,
    body: JSON.parse(batchOf(...bodies)) as object,
  });
  return changes.map(({ page }) => `${path}/page/${page.id}`);
}

const references: Attack = {
  name: 'page of references to one long definition',
  run: async ({ api, server }) => {
    const [page] = await pagesOf(api, [REFERENCES]);
    return [
      succeeded(await attack(server, { method: 'GET', path: `${page}?format=document` })),
      succeeded(await attack(server, { method: 'GET', path: `${page}?format=document&evaluated=true` })),
    ];
  },
};

const densePages: Attack = {
  name: '40 concurrent reads of small pages of many nodes',
  run: async ({ api, server }) => {
    const dense = Array.from(
      { length: 40 },
      (_each, index) => `${index} ${fill(DENSE[index % DENSE.length] ?? '', 49_000)}</a>`,
    );
    const paths = await pagesOf(api, dense);
    const read = (path: string) =>
      attack(server, { method: 'GET', path: `${path}?format=document&evaluated=true` });
    return (await Promise.all(paths.map(read))).map(completed);
  },
};

const commentReferences: Attack = {
  name: '20 comments of references to one long definition',
  run: async ({ api, server }) => {
    const path = `/v1/spaces/${await createSpace(api)}/comments`;
    const body = JSON.stringify({ body: { markdown: REFERENCES } });
    const posted = await times(20, () => attack(server, { path, body }));
    const listed = await attack(server, { method: 'GET', path: `${path}?format=document&limit=1000` });
    return [...posted.map(completed), completed(listed)];
  },
};

const headings: Attack = {
  name: '2 MB of setext headings',
  run: async (victim) => [refused(await insertPages(victim, HEADINGS))],
};

const table: Attack = {
  name: 'table of 2 MB',
  run: async (victim) => [refused(await insertPages(victim, TABLE))],
};

const sevenPages: Attack = {
  name: '7 tables of 2 MB in one batch',
  run: async (victim) => [refused(await insertPages(victim, ...Array.from({ length: 7 }, () => TABLE)))],
};

const sixteenRequests: Attack = {
  name: '16 concurrent tables of 2 MB',
  run: async (victim) => (await times(16, () => insertPages(victim, TABLE))).map(refused),
};

const largestBatch: Attack = {
  name: '7 pages of 2 MB in one batch',
  run: async (victim) => {
    const page = fill(`${words(5_000, 7)}\n\n`, 2 * MB);
    return [completed(await insertPages(victim, ...Array.from({ length: 7 }, () => page)))];
  },
};

const escapedBatch: Attack = {
  name: '3 pages of 2 MB of quotes in one batch',
  run: async (victim) => [
    completed(await insertPages(victim, ...Array.from({ length: 3 }, () => '"'.repeat(2 * MB - 1000)))),
  ],
};

const chineseBatch: Attack = {
  name: '7 pages of 2 MB of Chinese in one batch',
  run: async (victim) => {
    const page = fill('文档平台，', (2 * MB) / 3);
    return [completed(await insertPages(victim, ...Array.from({ length: 7 }, () => page)))];
  },
};

const largestDocument: Attack = {
  name: 'document of 96,000 nodes as JSON',
  run: async ({ api, server }) => {
    const nodes = Array.from({ length: 48_000 }, (_each, index) => ({
      object: 'block',
      type: 'paragraph',
      data: {},
      nodes: [{ object: 'text', leaves: [{ object: 'leaf', text: `Text ${index}`, marks: [] }] }],
    }));
    const document = { document: { object: 'document', data: {}, nodes } };
    const body = JSON.stringify({ changes: [{ operation: 'insert_page', title: 'Large', document }] });
    return [completed(await attack(server, { path: `/v1/spaces/${await createSpace(api)}/content`, body }))];
  },
};

const longHeading: Attack = {
  name: 'heading of 2 MB',
  run: async (victim) => [completed(await insertPages(victim, `## ${fill('word ', 2 * MB - 1000)}`))],
};

const frontmatter: Attack = {
  name: 'frontmatter of 60,000 commas, 20 times',
  run: async ({ api, server }) => {
    const page = `---\nvars: [${','.repeat(60_000)}]\n---\n\nText.\n`;
    const path = `/v1/spaces/${await createSpace(api)}/content`;
    return [
      completed(await attack(server, { path, body: batchOf(...Array.from({ length: 20 }, () => page)) })),
    ];
  },
};

const typos: Attack = {
  name: 'search for mistyped words among 200,000, 8 times',
  run: async (victim) => {
    const { api, server } = victim;
    const space = `/v1/spaces/${await createSpace(api)}`;
    for (let page = 0; page < 10; page++)
      await attack(server, { path: `${space}/content`, body: batchOf(words(20_000, page + 1)) });
    const query = encodeURIComponent(words(60, 99).slice(0, 400));
    return (
      await times(8, () => attack(server, { method: 'GET', path: `${space}/search?query=${query}` }))
    ).map(completed);
  },
};

/** Updates and merges a change request after both it and the space replaced the same page. */
async function mergeOf(victim: Victim, base: string, ours: string, theirs: string): Promise<Response[]> {
  const { api, server } = victim;
  const space = `/v1/spaces/${await createSpace(api)}`;
  const inserted = await api.send<{ changes: { page: { id: string } }[] }>({
    method: 'POST',
    path: `${space}/content`,
    body: JSON.parse(batchOf(base)) as object,
  });
  const page = inserted.changes[0]?.page.id;
  const edit = (markdown: string) =>
    JSON.stringify({ changes: [{ operation: 'update_page', page, document: { markdown } }] });
  const { id } = await api.send<{ id: string }>({
    method: 'POST',
    path: `${space}/change-requests`,
    body: {},
  });
  const request = `${space}/change-requests/${id}`;
  return [
    completed(await attack(server, { path: `${request}/content`, body: edit(theirs) })),
    completed(await attack(server, { path: `${space}/content`, body: edit(ours) })),
    completed(await attack(server, { path: `${request}/merge` })),
    completed(await attack(server, { path: `${request}/update` })),
  ];
}

const randomWords: Attack = {
  name: 'merge of paragraphs of random words of two letters',
  run: (victim) => {
    const paragraph = (seed: number) => words(20_000, seed, 'ab').replaceAll(/(.)/g, '$1');
    return mergeOf(victim, paragraph(1), paragraph(2), paragraph(3));
  },
};

const mergedTables: Attack = {
  name: 'merge of three tables of 2 MB',
  run: (victim) => {
    const rows = (seed: number) =>
      words(14_000 * 18, seed)
        .match(/(?:\w+ ?){18}/g)
        ?.map((row) => `| ${row.slice(0, 60)} | ${row.slice(60)} |`);
    const tableOf = (seed: number) => `| a | b |\n|---|---|\n${rows(seed)?.join('\n')}\n`;
    return mergeOf(victim, tableOf(1), tableOf(2), tableOf(3));
  },
};

export const contentAttacks: readonly Attack[] = [
  references,
  densePages,
  commentReferences,
  headings,
  table,
  sevenPages,
  sixteenRequests,
  largestBatch,
  escapedBatch,
  chineseBatch,
  largestDocument,
  longHeading,
  frontmatter,
  typos,
  randomWords,
  mergedTables,
];
