import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sameDocument, type BlockNode, type JSONDocument } from '../../document/index.ts';
import { editMarkdown, parseDocument } from '../index.ts';

/** Bodies as people and other programs write them: valid, but not as our writer would. */

/** Placeholder for a word that occurs nowhere else in the body. */
const WORD = '¤';

const LEAVES = [
  `*${WORD}* and  <u>x</u> <!-- c --> end`,
  `__a__ [l ${WORD}](https://x.example "T") \\! [r][ref] x_y`,
  `soft\nline ${WORD}  \nhard &amp; &copy; <span class="k">s</span>`,
  `##### ${WORD} #####`,
  `*T* ${WORD}\n===`,
  `~~~js title="x.js" {1}\na b ${WORD}\n\n\tc\n~~~`,
  `{% code title="${WORD}" x="y" %}\n\`\`\`\`js\na\n\`\`\`\`\n{% endcode %}`,
  `| a|b |\n|:-:|---\n| ${WORD}|*2* <!-- c -->\n|3`,
  `<table x="y"><thead><tr><th width="100">A</th><th>B</th></tr></thead>\n<tbody><tr><td valign="top">${WORD}</td><td></td></tr>\n<tr><td colspan="2"><b>2</b></td></tr></tbody></table>`,
  `<figure><img class="k" src="a.png" alt=""><figcaption><p>${WORD}</p></figcaption></figure>`,
  `{% embed url='https://a.b/${WORD}' x="y" %}\n*caption*\n{% endembed %}`,
  `Text <a class="button primary" href="https://x.example" target="_blank">${WORD}</a> +`,
  `<div>\n\n*a* ${WORD}\n\n</div>`,
  `{% unknown x %}\n\n*a* ${WORD}\n\n{% endunknown %}`,
  `- - - -\n\n_${WORD}_`,
  `\`\`a ${WORD}\`\` <kbd>k</kbd> <https://x.example>`,
]; // prettier-ignore

const prefixed = (text: string, first: string, rest: string): string =>
  text
    .split('\n')
    .map((line, index) => (index === 0 ? first + line : line === '' ? rest.trimEnd() : rest + line))
    .join('\n');

const CONTAINERS: readonly ((inner: string) => string)[] = [
  (inner) => `{% hint x="y" style='info' %}\n${inner}\n{% endhint %}`,
  (inner) => `<details  open>\n<summary><b>s</b> ${WORD} <!-- c --></summary>\n\n${inner}\n\n</details>`,
  (inner) => `{% tabs %}\n{% tab title="${WORD}" x="y" %}\n${inner}\n{% endtab %}\n\n{% tab title="B" %}\n+ b\n{% endtab %}\n{% endtabs %}`,
  (inner) => prefixed(inner, '> ', '> '),
  (inner) => `-   *first*\n${prefixed(inner, '-   ', '    ')}\n-   last ${WORD}`,
  (inner) => `3)  __a__\n${prefixed(inner, '4)  ', '    ')}`,
  (inner) => `+ [X]  ${WORD}\n\n${prefixed(inner, '  ', '  ')}\n+ [ ] b`,
  (inner) => prefixed(`[!Warning] A *title* ${WORD}\n${inner}`, '> ', '> '),
  (inner) => prefixed(`[!NOTE]\n${inner}`, '> ', '>  '),
  (inner) => `::::tip ${WORD} {#id}\n${inner}\n::::`,
  (inner) => `:::danger\n\n${inner}\n\n:::`,
  (inner) => prefixed(`???+ bug "Of ${WORD}"\n\n${inner}`, '', '    '),
  (inner) => prefixed(`!!! note inline end\n${inner}`, '', '    '),
  (inner) => `{% stepper %}\n{% step %}\n${inner}\n{% endstep %}\n{% endstepper %}`,
]; // prettier-ignore

const { blocks } = fc.letrec<{ blocks: string; one: string }>((tie) => ({
  blocks: fc
    .array(tie('one'), { minLength: 1, maxLength: 3 })
    .map((parts) => parts.join('\n\n<!-- between -->\n\n')),
  one: fc.oneof(
    { depthSize: 'small' },
    { weight: 3, arbitrary: fc.constantFrom(...LEAVES) },
    { weight: 2, arbitrary: fc.tuple(fc.constantFrom(...CONTAINERS), tie('blocks')).map(([make, inner]) => make(inner)) },
  ),
})); // prettier-ignore

/** Each placeholder as another word: `word00x`, `word01x`. */
const body = fc.tuple(blocks, fc.constantFrom('\n', '\r\n')).map(([text, end]) => {
  let count = 0;
  const named = text.replaceAll(WORD, () => `word${String(count++).padStart(2, '0')}x`);
  const notes = `${named}\n\nA note[^n]\n\n[^n]: *of* word${String(count++).padStart(2, '0')}x <!-- c -->\n\n[ref]: https://r.example\n`;
  return { text: notes.replaceAll('\n', end), count };
});

const copyOf = (document: JSONDocument): JSONDocument => JSON.parse(JSON.stringify(document)) as JSONDocument;

describe('in a body with unusual spellings', () => {
  it('an edit of one word changes the bytes of that word', () => {
    fc.assert(
      fc.property(body, fc.nat(), fc.constantFrom('wort', 'wordy and more'), ({ text, count }, at, other) => {
        const word = `word${String(at % count).padStart(2, '0')}x`;
        const json = JSON.stringify(parseDocument(text));
        const place = new RegExp(`("(?:text|title|url)":"[^"]*)${word}`);
        fc.pre(place.test(json));
        // Keys help to match blocks, but a client need not send them.
        const withKeys = at % 2 === 0;
        const edited = JSON.parse(json.replace(place, `$1${other}`), (name, value: unknown) =>
          name === 'key' && !withKeys ? undefined : value,
        ) as JSONDocument;
        expect(editMarkdown(text, edited)).toBe(text.replace(word, other));
      }),
      { numRuns: 400, seed: 41 },
    );
  });

  it('any edit is read back as intended', () => {
    const edits = fc.array(fc.tuple(fc.nat(3), fc.nat(), fc.nat()), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(body, body, edits, (one, other, all) => {
        const edited = copyOf(parseDocument(one.text));
        for (const [kind, from, to] of all) change(edited, parseDocument(other.text), kind, from, to);
        const text = editMarkdown(one.text, edited);
        expect(sameDocument(parseDocument(text), edited)).toBe(true);
      }),
      { numRuns: 300, seed: 42 },
    );
  });

  it('blocks that change places keep their bytes', () => {
    // Each once: adjacent lists with the same marker cannot stay unchanged.
    const plain = fc.uniqueArray(fc.constantFrom(...LEAVES, ...CONTAINERS.map((make) => make('*in* it'))), {
      minLength: 2,
      maxLength: 5,
    });
    fc.assert(
      fc.property(plain, fc.nat(), fc.nat(), (parts, from, to) => {
        const text = `${parts.join('\n\n')}\n\n[ref]: https://r.example\n`;
        const edited = copyOf(parseDocument(text));
        const [moved] = edited.nodes.splice(from % edited.nodes.length, 1) as [BlockNode];
        edited.nodes.splice(to % (edited.nodes.length + 1), 0, moved);
        const result = editMarkdown(text, edited);
        expect(sameDocument(parseDocument(result), edited)).toBe(true);
        const lines = (all: string): string[] =>
          all.split('\n').filter((line) => line.trim() !== '' && line !== '<!---->').toSorted();
        expect(lines(result)).toEqual(lines(text));
      }),
      { numRuns: 300, seed: 43 },
    ); // prettier-ignore
  });
});

/** Removes, moves, repeats or adds a block, among the blocks of the document or of one of its containers. */
function change(document: JSONDocument, other: JSONDocument, kind: number, from: number, to: number): void {
  const inside = document.nodes.flatMap((node) =>
    ['blockquote', 'hint', 'stepper', 'list-unordered', 'list-ordered'].includes(node.type) ? [node] : [],
  );
  const into = inside[from % (inside.length + 1)];
  const nodes = into ? ((into.nodes ?? []) as BlockNode[]) : document.nodes;
  const [one] = kind === 2 ? [] : nodes.splice(from % nodes.length, 1);
  if (kind === 0 && nodes.length > 0) return;
  const same = into && /^(?:list|stepper)/.test(into.type);
  const added =
    kind === 3 && !same ? other.nodes[from % other.nodes.length] : (one ?? nodes[to % nodes.length]);
  if (added) nodes.splice(to % (nodes.length + 1), 0, JSON.parse(JSON.stringify(added)) as BlockNode);
}
