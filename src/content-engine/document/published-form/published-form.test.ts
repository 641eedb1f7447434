import { describe, expect, it } from 'vitest';
import { SCHEMA_CHANGES } from '../../../../test/conformance/exemptions.ts';
import { ajvWith } from '../../../../test/conformance/schemas.ts';
import { PLACES } from '../blocks/block.ts';
import { allows, BLOCKS, PARTS } from '../blocks/index.ts';
import {
  checkDocument,
  type BlockType,
  fromPublishedForm,
  sameDocument,
  toPublishedForm,
  type BlockNode,
  type JSONDocument,
} from '../index.ts';
import { editMarkdown, parseDocument } from '../../markdown/index.ts';

const validate = ajvWith(SCHEMA_CHANGES).compile({ $ref: 'JSONDocument' });
const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** Markdown of one block of every type. */
const SAMPLES: Readonly<Record<string, string>> = {
  paragraph: 'Text',
  'heading-1': '## A',
  'heading-2': '### A',
  'heading-3': '#### A',
  'list-ordered': '3. a',
  'list-unordered': '- a\n- b',
  'list-tasks': '- [x] a',
  blockquote: '> quoted',
  divider: '---',
  code: '```js\ncode\n```',
  math: '$$\nx\n$$',
  hint: '{% hint style="warning" %}\nhint\n{% endhint %}',
  images: '<figure><img src="a.png" alt="alt" width="5"><figcaption><p>c **d**</p></figcaption></figure>',
  file: '{% file src="f.pdf" %}\ncaption\n{% endfile %}',
  drawing: '<img src="d.svg" alt="" class="gitbook-drawing">',
  embed: '{% embed url="https://x.org" %}',
  'content-ref': '{% content-ref url="p.md" %}\n[p.md](p.md)\n{% endcontent-ref %}',
  'reusable-content': '{% include "x.md" %}',
  expandable: '<details>\n\n<summary>S *t*</summary>\n\nBody\n\n- a\n\n</details>',
  tabs: '{% tabs %}\n{% tab title="T" icon="x" %}\none\n{% endtab %}\n\n{% tab title="U" %}\n| a |\n| - |\n| b |\n{% endtab %}\n{% endtabs %}',
  stepper: '{% stepper %}\n{% step %}\n### Step\n\n![i](a.png)\n{% endstep %}\n{% endstepper %}',
  columns: '{% columns %}\n{% column width="50%" %}\na\n{% endcolumn %}\n\n{% column %}\nb\n{% endcolumn %}\n{% endcolumns %}',
  if: '{% if a.b %}\nif\n{% endif %}',
  updates: '{% updates format="full" %}\n{% update date="2025-12-25" %}\nu\n{% endupdate %}\n{% endupdates %}',
  prompt: '{% prompt description="d" %}\np\n{% endprompt %}',
  integration: '{% @name/block text="y" %}',
  swagger: '{% openapi src="s.yaml" path="/" method="get" %}\n[s.yaml](s.yaml)\n{% endopenapi %}',
  'openapi-operation': '{% openapi-operation spec="s" path="/" method="get" %}\n{% endopenapi-operation %}',
  'openapi-webhook': '{% openapi-webhook spec="s" name="n" method="post" %}\n{% endopenapi-webhook %}',
  'openapi-schemas': '{% openapi-schemas spec="s" schemas="A,B" %}\n{% endopenapi-schemas %}',
  table: '| a  | b |\n|----|---|\n| *1* | 2 |',
}; // prettier-ignore

const prefixed = (text: string, first: string, rest: string): string =>
  text
    .split('\n')
    .map((line, index) => (index === 0 ? first + line : line === '' ? rest.trimEnd() : rest + line))
    .join('\n');

const problemIn = (value: unknown) => {
  const checked = checkDocument(value);
  return 'problem' in checked ? checked.problem : undefined;
};

const restored = (document: JSONDocument): JSONDocument => fromPublishedForm(document) as JSONDocument;

/** Every container that does not accept every block. */
const CONTAINERS: Readonly<Record<string, (inner: string) => string>> = {
  hint: (inner) => `{% hint style="info" %}\n${inner}\n{% endhint %}`,
  blockquote: (inner) => prefixed(inner, '> ', '> '),
  'list-item': (inner) => `- item\n\n${prefixed(inner, '  ', '  ')}`,
  'tabs-item': (inner) => `{% tabs %}\n{% tab title="A" %}\n${inner}\n{% endtab %}\n{% endtabs %}`,
  'stepper-step': (inner) => `{% stepper %}\n{% step %}\n${inner}\n{% endstep %}\n{% endstepper %}`,
  column: (inner) => `{% columns %}\n{% column %}\n${inner}\n{% endcolumn %}\n{% endcolumns %}`,
  'expandable-body': (inner) => `<details>\n\n<summary>S</summary>\n\n${inner}\n\n</details>`,
  'annotation-body': (inner) => `Text[^1]\n\n[^1]: note\n\n${prefixed(inner, '    ', '    ')}`,
};

const types = (Object.keys(BLOCKS) as BlockType[]).filter((type) => !PARTS.has(type));
const pairs = PLACES.flatMap((place) => types.map((type) => [place, type] as const));
const bodyOf = (place: string, type: string): string =>
  `Before\n\n${CONTAINERS[place]?.(SAMPLES[type] ?? '') ?? ''}\n\nAfter\n`;

describe('the published form', () => {
  it('is tested with every block and every container', () => {
    expect(Object.keys(SAMPLES).toSorted()).toEqual(types.toSorted());
    expect(Object.keys(CONTAINERS)).toEqual([...PLACES]);
  });

  it.each(pairs)('of a block in a container is valid and reversible: %s %s', (place, type) => {
    const body = bodyOf(place, type);
    const document = parseDocument(body);
    const published = copy(toPublishedForm(document));
    expect([validate(published), validate.errors]).toEqual([true, null]);
    expect(problemIn(published)).toBeUndefined();
    expect(fromPublishedForm(published)).toEqual(document);
    expect(editMarkdown(body, restored(published))).toBe(body);
    // Content that the schema allows is unchanged.
    expect(validate(copy(document))).toBe(allows(place, type));
  });

  it('of any two levels is valid and reversible', () => {
    for (const outer of PLACES) {
      for (const [place, type] of pairs) {
        const inner = CONTAINERS[place]?.(SAMPLES[type] ?? '') ?? '';
        // A footnote cannot contain the definition of a footnote.
        if (place === 'annotation-body') continue;
        const body = `${CONTAINERS[outer]?.(inner) ?? ''}\n`;
        const document = parseDocument(body);
        const published = copy(toPublishedForm(document));
        expect([body, validate(published)]).toEqual([body, true]);
        expect(sameDocument(restored(published), document)).toBe(true);
      }
    }
  });

  it('stays within the accepted depth of JSON, however deep blocks are nested', () => {
    const levels = (value: unknown): number =>
      typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(levels)) : 0;
    for (const container of Object.values(CONTAINERS).slice(0, 7)) {
      let inner = SAMPLES['tabs'] ?? '';
      for (let depth = 0; depth < 40; depth++) inner = container(inner);
      const document = parseDocument(`${inner}\n`);
      const published = toPublishedForm(document);
      expect(levels(published)).toBeLessThan(94);
      expect(sameDocument(restored(copy(published)), document)).toBe(true);
    }
  });
});

describe('an edit of the published form', () => {
  const edited = (body: string, change: (json: string) => string): string => {
    const json = JSON.stringify(toPublishedForm(parseDocument(body)));
    expect(change(json)).not.toBe(json);
    return editMarkdown(body, restored(JSON.parse(change(json)) as JSONDocument));
  };

  it.each([
    ['hint', 'code', '\ncode\n'],
    ['tabs-item', 'table', '*1*'],
    ['blockquote', 'table', '*1*'],
    ['stepper-step', 'tabs', '\none\n'],
    ['tabs-item', 'stepper', '### Step'],
    ['hint', 'expandable', 'Body'],
    ['list-item', 'columns', '  b\n'],
    ['hint', 'if', '\nif\n'],
  ])('of one word changes only that word: %s, %s', (place, type, source) => {
    const body = bodyOf(place, type);
    const [word = ''] = /\w+/.exec(source) ?? [];
    const result = edited(body, (json) => json.replace(`"text":"${word}"`, '"text":"new"'));
    expect(result).toBe(body.replace(source, source.replace(word, 'new')));
  });

  it('of the title of a tab that is shown as an item renames the tab', () => {
    const body = bodyOf('stepper-step', 'tabs');
    expect(edited(body, (json) => json.replace('"text":"T"', '"text":"New"'))).toBe(
      body.replace('title="T"', 'title="New"'),
    );
  });

  it('of a paragraph shown in place of a block replaces the block', () => {
    const body = bodyOf('hint', 'embed');
    const result = edited(body, (json) => json.replace('"text":"https://x.org"', '"text":"a link"'));
    expect(result).toBe(body.replace('{% embed url="https://x.org" %}', '[a link](https://x.org)'));
  });

  it('does not trust forged originals', () => {
    const paragraph = { object: 'block', type: 'paragraph', nodes: [] };
    const list = { object: 'block', type: 'list-unordered', nodes: [] };
    const types = ['rows', 'toString'].map((type) => ({ object: 'block', type }));
    const originals = [null, 1, 'x', [], {}, { object: 'block' }, ...types];
    for (const original of [...originals, { object: 'block', type: 'images', nodes: [null] }]) {
      const nodes = [
        { ...paragraph, original },
        { ...list, original },
      ] as unknown as BlockNode[];
      const document = { object: 'document' as const, data: {}, nodes };
      expect(restored(document).nodes).toEqual([paragraph, list]);
    }
    const bad = { ...list, original: { object: 'block', type: 'if', data: {} } } as unknown as BlockNode;
    expect(problemIn(fromPublishedForm({ object: 'document', data: {}, nodes: [bad] }))).toBeDefined();
  });
});
