import { batchOf, completed, fill, MB, type Attack } from '../attack.ts';
import { publishSite } from '../published-site.ts';
import { createSpace } from '../space.ts';
import { attack, type Response, type Victim } from '../victim.ts';

/** Hostile pages of a published site, as their first readers open them. */

interface Inserted {
  readonly changes: readonly {
    readonly page?: { readonly id: string };
    readonly reusableContent?: { readonly id: string };
  }[];
}

const SIZE = 2 * MB - 100_000;

/** Inserts pages, publishes them, and reads each one without a token. */
export async function readPages({ api, server }: Victim, bodies: readonly string[]): Promise<Response[]> {
  const id = await createSpace(api);
  const send = (body: string) =>
    api.send<Inserted>({
      method: 'POST',
      path: `/v1/spaces/${id}/content`,
      body: JSON.parse(body) as object,
    });
  const { changes } = await send(batchOf('First.', ...bodies));
  const pages = changes.slice(1).flatMap(({ page }) => page?.id ?? []);
  const site = await publishSite(api, { id, pages });
  const answers: Response[] = [];
  for (const page of site.pages)
    answers.push(completed(await attack(server, { method: 'GET', path: page, isSignedIn: false })));
  return answers;
}

const longTexts: Attack = {
  name: 'site pages of one long text, heading, line of code',
  run: (victim) =>
    readPages(victim, [
      fill('"', SIZE),
      `## ${fill('" ', SIZE)}`,
      `\`\`\`\n${fill('"', SIZE)}\n\`\`\`\n`,
      fill('a ', SIZE),
      `${fill('.', 100_000)}a@b.co`,
    ]),
};

const manyBlocks: Attack = {
  name: 'site pages of many embeds, code titles, references',
  run: (victim) =>
    readPages(victim, [
      '{% embed url="https://loom.com/share/a" %}\n\n'.repeat(40_000),
      `{% code title="${'&'.repeat(100_000)}" %}\n\`\`\`\na\n\`\`\`\n{% endcode %}\n\n`.repeat(18),
      '{% content-ref url="page-0.md" %}\n[a](page-0.md)\n{% endcontent-ref %}\n\n'.repeat(10_000),
    ]),
};

const includes: Attack = {
  name: 'site page that includes four long lists, as HTML and as Markdown',
  run: async (victim) => {
    const { api, server } = victim;
    const id = await createSpace(api);
    const send = (changes: readonly object[]) =>
      api.send<Inserted>({ method: 'POST', path: `/v1/spaces/${id}/content`, body: { changes } });
    const markdown = '- a\n'.repeat(24_000);
    const content = { operation: 'insert_reusable_content', title: 'List', document: { markdown } };
    const { changes } = await send([content, content, content, content]);
    const included = changes.map(
      ({ reusableContent }) => `{% include "/reusable-content/${reusableContent?.id}" %}`,
    );
    const document = { markdown: included.join('\n\n') };
    const inserted = await send([
      { operation: 'insert_page', title: 'First', document: { markdown: 'First.' } },
      { operation: 'insert_page', title: 'Lists', document },
    ]);
    const site = await publishSite(api, {
      id,
      pages: inserted.changes.flatMap(({ page }) => page?.id ?? []),
    });
    const read = async (path: string) =>
      completed(await attack(server, { method: 'GET', path, isSignedIn: false }));
    return [await read(`${site.pages[1]}`), await read(`${site.pages[1]}.md`)];
  },
};

export const siteAttacks: readonly Attack[] = [longTexts, manyBlocks, includes];
