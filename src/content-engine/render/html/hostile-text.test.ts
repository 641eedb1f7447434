import { describe, expect, it } from 'vitest';
import { shownBy, specificationOf } from '../../../../test/openapi-parts.ts';
import { EVERY_NODE } from '../../../../test/every-node.ts';
import { KINDS, payloads, payloadsAt } from '../../../../test/hostile-texts.ts';
import { changedAt, placesIn } from '../../../../test/mutate.ts';
import { violationsIn } from '../../../../test/rendered-html.ts';

import { documentOfBlocks, type BlockNode } from '../../document/index.ts';
import { parseDocument } from '../../markdown/index.ts';
import { ENGLISH, renderHtml, type HtmlOptions } from './index.ts';
import { VOCABULARY } from './vocabulary.ts';

/**
 * One document of the blocks of all payloads in a place: rendering and parsing it once costs a tenth of doing so for each.
 * Only if something got through, each is rendered alone, to name the payloads.
 */
function violationsOf(place: string, n: number, blocksOf: (payload: string) => BlockNode[]): string[] {
  const check = (blocks: BlockNode[]): string[] => violationsIn(renderHtml(documentOfBlocks(blocks)).html);
  const all = payloadsAt(n).map((payload) => ({ payload, blocks: blocksOf(payload) }));
  const together = check(all.flatMap(({ blocks }) => blocks));
  if (together.length === 0) return [];
  const each = all.flatMap(({ payload, blocks }) =>
    check(blocks).map((violation) => `${violation}: ${place} with ${payload}`),
  );
  return each.length > 0 ? each : together.map((violation) => `${violation}: ${place}`);
}

/** Everything that the caller says is the payload. */
const hostile = (payload: string): HtmlOptions => ({
  targetOf: () => ({
    href: payload,
    title: payload,
    description: payload,
    icon: payload,
    emoji: payload,
    color: payload,
  }),
  fileOf: () => ({ src: payload, name: payload }),
  reusableContentOf: () => parseDocument(payload),
  actionHref: () => payload,
  openapi: shownBy(specificationOf(payload)),
  pageTitle: payload,
  integration: () => payload,
  words: Object.fromEntries(Object.keys(ENGLISH).map((word) => [word, payload])),
});

const isDiscriminator = (path: readonly string[]): boolean =>
  ['object', 'type', 'kind', 'key'].includes(path.at(-1) ?? '');

const valueAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inside, key) => (inside as Record<string, unknown>)[key], value);

/** A paragraph becomes one for each of its inlines, so that few nodes are rendered for each payload. */
const smallBlocks = (block: BlockNode): BlockNode[] =>
  block.type === 'paragraph' ? (block.nodes ?? []).map((node) => ({ ...block, nodes: [node] })) : [block];

/** Places in Markdown, where `@` is the payload. */
const MARKDOWN = [
  '@', '# @', '## @', '* @', '1. @', '- [x] @', '> @', '**@**', '`@`', '[@](x)', '[x](@)', '[x](<@>)', '[x](y "@")', '[x][1]\n\n[1]: @',
  '![@](x.png)', '![x](@)', '![x](<@>)', '![x](y.png "@")', '<@>', '## Heading <a href="#@" id="@"></a>', '```@\ncode\n```', '```\n@\n```', '    @',
  '| @ | b |\n| - | - |\n| c | @ |', '$$@$$', '$$\n@\n$$', 'x[^1]\n\n[^1]: @', '<kbd>@</kbd>', '<mark style="@">x</mark>', '<i class="fa-@">:@:</i>',
  '<a href="@" class="button primary" data-icon="@">@</a>', '<button type="button" class="button primary" data-action="@" data-query="@">@</button>',
  '<span data-gb-custom-inline data-tag="emoji" data-code="@">@</span>', '<code class="expression">@</code>', '<img src="@" alt="@" data-size="line"> x',
  '<figure><img src="@" alt="@" width="@" height="@"><figcaption><p>@</p></figcaption></figure>',
  '<picture><source srcset="@" media="(prefers-color-scheme: dark)"><img src="@" alt="@"></picture>',
  '{% hint style="@" icon="@" %}\n@\n{% endhint %}', '{% tabs %}\n{% tab title="@" icon="@" %}\n@\n{% endtab %}\n{% endtabs %}',
  '{% stepper %}\n{% step icon="@" %}\n### @\n{% endstep %}\n{% endstepper %}', '{% code title="@" overflow="@" %}\n```@\n@\n```\n{% endcode %}',
  '<details>\n\n<summary>@</summary>\n\n@\n\n</details>', '{% embed url="@" %}\n@\n{% endembed %}', '{% file src="@" %}\n@\n{% endfile %}',
  '{% content-ref url="@" %}\n[@](@)\n{% endcontent-ref %}', '{% updates format="@" %}\n{% update date="@" tags="@" %}\n@\n{% endupdate %}\n{% endupdates %}',
  '{% prompt description="@" icon="@" %}\n@\n{% endprompt %}', '{% openapi src="@" path="@" method="@" %}\n[@](@)\n{% endopenapi %}',
  '{% openapi-operation spec="@" path="@" method="@" %}\n{% endopenapi-operation %}', '{% openapi-schemas spec="@" schemas="@" %}\n{% endopenapi-schemas %}',
  '{% @integration/block url="@" text="@" %}', '{% @ %}', '<table><thead><tr><th>@</th><th>s<select><option value="@" label="@" color="@"></option></select></th></tr></thead><tbody><tr><td>@</td><td><span data-option="@">@</span></td></tr></tbody></table>',
  '<table data-view="cards"><thead><tr><th>a</th><th data-type="content-ref" data-card-target></th><th data-type="image" data-card-cover></th></tr></thead><tbody><tr><td>@</td><td><a href="@">@</a></td><td><a href="@">@</a></td></tr></tbody></table>',
  '```mermaid\n@\n```', 'see https://x.org/@ and @', '<div>@</div>', '<custom-element a="@">@</custom-element>', '<!-- @ -->',
]; // prettier-ignore

describe('hostile text', () => {
  it('is not missing: there are enough payloads, none twice', () => {
    expect(new Set(payloads).size).toBe(payloads.length);
    expect(payloads.length).toBeGreaterThanOrEqual(300);
    expect(payloads).toEqual(expect.arrayContaining([...KINDS]));
    expect(new Set(Array.from({ length: 8 }, (_each, n) => payloadsAt(n)).flat())).toEqual(new Set(payloads));
  });

  it.each(MARKDOWN.map((place, n) => [place, n] as const))('yields nothing from %j', (place, n) => {
    const source = (payload: string): string =>
      place
        .replaceAll('@integration', '\0')
        .replaceAll('@', () => payload)
        .replaceAll('\0', '@integration');
    expect(violationsOf(place, n, (payload) => parseDocument(source(payload)).nodes)).toEqual([]);
  });

  it.each(
    parseDocument(EVERY_NODE)
      .nodes.flatMap(smallBlocks)
      .map((block) => [block.type, block] as const),
  )('yields nothing from any text of a block %s', (_type, block) => {
    const places = placesIn(block).filter(
      (path) => typeof valueAt(block, path) === 'string' && !isDiscriminator(path),
    );
    for (const [n, path] of places.entries()) {
      const blocksOf = (payload: string): BlockNode[] => [
        changedAt(block, path, (inside, key) => (inside[key] = payload)) as BlockNode,
      ];
      expect(violationsOf(path.join('.'), n, blocksOf)).toEqual([]);
    }
  });

  it('yields nothing from titles, addresses, names and words of the caller', () => {
    const document = parseDocument(EVERY_NODE);
    const tried = payloadsAt(0);
    const found = tried.map((payload) => violationsIn(renderHtml(document, hostile(payload)).html));
    expect(found).toEqual(tried.map(() => []));
  });

  it('could yield nothing that runs: the vocabulary has no such element or attribute', () => {
    for (const name of [
      'script',
      'style',
      'link',
      'meta',
      'base',
      'object',
      'embed',
      'form',
      'template',
      'maction',
    ])
      expect(VOCABULARY.has(name)).toBe(false);
    for (const [, attributes] of VOCABULARY) {
      for (const name of attributes)
        expect(name).not.toMatch(/^on|^style$|^srcdoc$|^srcset$|^xlink|^formaction$|^ping$/);
    }
  });
});
