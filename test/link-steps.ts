import fc from 'fast-check';
import { insert, type Contents } from './content.ts';

/** Random edits of pages that link to each other, for properties of links. */

const slug = fc.constantFrom('a', 'b', 'c');
const pathSpelled = fc.oneof(
  fc.tuple(slug, slug).map(([one, two]) => `/pages/${one}/${two}`),
  slug.map((one) => `/pages/${one}`),
  slug.map((one) => `${one}.md`),
  fc.tuple(slug, slug).map(([one, two]) => `../${one}/${two}.md`),
  fc.constantFrom('/', './', '..', '#own', 'https://example.org/', '/pages/README.md'),
);
const href = fc
  .tuple(pathSpelled, fc.constantFrom('', '#one', '#two'))
  .map(([path, anchor]) => (path.startsWith('#') ? path : path + anchor));
/** A placeholder for the id of the reusable content that pages include, and that links to pages itself. */
const CONTENT = 'CONTENT';
const heading = fc.constantFrom('', '## One\n\n', '## Two\n\n');
const include = fc.constantFrom('', '', `{% include "/reusable-content/${CONTENT}" %}\n\n`);
const body = fc
  .tuple(heading, include, fc.array(href, { maxLength: 4 }))
  .map(([own, included, hrefs]) => own + included + hrefs.map((each) => `[x](${each})`).join(' '));

export type EditStep =
  | { readonly kind: 'insert'; readonly slug: string; readonly body: string; readonly into: number }
  | { readonly kind: 'write'; readonly page: number; readonly body: string }
  | { readonly kind: 'rename'; readonly page: number; readonly slug: string }
  | { readonly kind: 'move'; readonly page: number; readonly into: number; readonly at: number }
  | { readonly kind: 'delete'; readonly page: number }
  | { readonly kind: 'content'; readonly body: string };

const place = fc.nat(7);

export const editStep: fc.Arbitrary<EditStep> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('insert' as const), slug, body, into: place }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('write' as const), page: place, body }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rename' as const), page: place, slug }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('move' as const), page: place, into: place, at: fc.nat(2) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), page: place }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('content' as const), body }) },
);

/** A space with a reusable content: its path, and the id of the content. */
export async function aSpaceForSteps(contents: Contents): Promise<{ space: string; content: string }> {
  const space = await contents.aSpace();
  const part = { operation: 'insert_reusable_content', title: 'Part', document: { markdown: '' } };
  const { changes } = await contents.edit(space, part);
  return { space, content: changes[0].reusableContent.id };
}

/** The change of a batch. `pages`: ids that the numbers of the step select from. */
export function changeOf(step: EditStep, pages: readonly string[], content: string): object {
  const change = changeOfStep(step, (index) => pages[index % Math.max(1, pages.length)]);
  return JSON.parse(JSON.stringify(change).replaceAll(CONTENT, content)) as object;
}

function changeOfStep(step: EditStep, at: (index: number) => string | undefined): object {
  switch (step.kind) {
    case 'insert': {
      const into = step.into > 4 ? at(step.into) : undefined;
      return insert(step.slug.toUpperCase(), step.body, { slug: step.slug, ...(into ? { into } : {}) });
    }
    case 'write':
      return { operation: 'update_page', page: at(step.page), document: { markdown: step.body } };
    case 'rename':
      return { operation: 'update_page', page: at(step.page), slug: step.slug };
    case 'move':
      return {
        operation: 'move_page',
        page: at(step.page),
        into: step.into > 3 ? at(step.into) : null,
        at: step.at,
      };
    case 'delete':
      return { operation: 'delete_page', page: at(step.page) };
    case 'content':
      return {
        operation: 'update_reusable_content',
        reusableContent: CONTENT,
        document: { markdown: step.body },
      };
  }
}
