import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countTerms, excerptOf, occurrencesOf } from './excerpt.ts';
import { composed, fold } from './words/fold.ts';
import { distance } from '../edit-distance.ts';
import { canHaveTypos, nearestWords } from './words/fuzzy-match.ts';
import { partsOf } from './words/identifier-parts.ts';
import { passagesOf } from './passages.ts';
import { decodePositions } from './segments/positions.ts';
import { parseQuery } from './words/query.ts';
import { lookupsOf } from './lookups.ts';
import { matchingSections } from './matching-sections.ts';
import { hasAllTerms, matchesOf, sectionsOf } from './matches.ts';
import { isPhrase, rankMatches, shortestSpan, summarizePositions, weightsOf } from './rank.ts';
import { blocksOf, entriesOf, entriesWith, mergeBlock, type Entry } from './segments/blocks.ts';
import {
  bytesOf,
  segmentOf,
  titleKey,
  wordsOf as segmentWords,
  type PageText,
  type Segment,
} from './segments/segment.ts';
import { eachWord } from './words/tokenizer.ts';

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.constantFrom(
    'Straße ÉCOLE İstanbul ΣΊΣΥΦΟΣ',
    '日本語の文書',
    'ｶﾀｶﾅ ＡＢＣ',
    'a\u0000b\ud800c\udc00',
    '𠀀𠀁 豈更',
  ),
);

const wordsOf = (text: string): string[] => {
  const words: string[] = [];
  eachWord(composed(text), (word, kind) => {
    if (kind !== 'part') words.push(word);
  });
  return words;
};

describe('folding', () => {
  test('preserves every offset, for any text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const normalized = composed(text);
        expect(fold(normalized)).toHaveLength(normalized.length);
        expect(fold(fold(normalized))).toBe(fold(normalized));
      }),
    );
  });

  test('contains nothing that a database cannot store', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const normalized = composed(text);
        expect(normalized).not.toContain('\u0000');
        expect(Buffer.from(normalized).toString()).toBe(normalized);
      }),
    );
  });

  test.each([
    ['ÉCOLE', 'ecole'],
    ['cafe\u0301', 'cafe'],
    ['Łódź', 'lodz'],
    ['ΣΊΣΥΦΟΣ', 'σισυφοσ'],
    ['Ёлка', 'елка'],
    ['ＡＢＣ', 'abc'],
    ['ｶﾅ', 'カナ'],
  ])('%s is searched as %s', (text, folded) => {
    expect(fold(composed(text))).toBe(folded);
  });
});

describe('words', () => {
  test.each([
    ['The HTTP-API, v1.2 (beta)', ['the', 'http', 'api', 'v1', '2', 'beta']],
    ['Straße', ['strasse']],
    ['日本語', ['日本', '本語', '語']],
    ['Gitを使う', ['git', 'を使', '使う', 'う']],
    ['문서를', ['문서', '서를', '를']],
    ['สวัสดี', ['สว', 'วั', 'ัส', 'สด', 'ดี', 'ี']],
    ['𠀀𠀁', ['𠀀𠀁', '𠀁']],
    ['…!? —', []],
  ])('of %s', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  test('contain no character that is special in storage', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const word of wordsOf(text)) {
          expect(word).toMatch(/^[\p{L}\p{N}\p{M}]+$/u);
          expect(word.length).toBeLessThanOrEqual(64);
        }
      }),
    );
  });
});

describe('queries', () => {
  const shortOf = (query: string) =>
    parseQuery(query).map(({ word, isPrefix, place }) => `${place} ${word}${isPrefix ? '*' : ''}`);

  test.each([
    ['API tok', ['0 api', '1 tok*']],
    ['API tokens ', ['0 api', '1 tokens']],
    ['日本語', ['0 日本', '1 本語']],
    ['語', ['0 語*']],
    ['日本 語', ['0 日本', '2 語*']],
    [' ?!', []],
  ])('%s', (query, terms) => {
    expect(shortOf(query)).toEqual(terms);
  });

  test('are truncated to a maximum length', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(parseQuery(text.repeat(5)).length).toBeLessThanOrEqual(24);
      }),
    );
  });
});

describe('lookups', () => {
  const shown = (query: string, byPart = false) =>
    lookupsOf(parseQuery(query, byPart)).map(
      ({ word, isPrefix, terms }) => `${word}${isPrefix ? '*' : ''} ${terms?.join(' ')}`,
    );

  test('of repeated words are made once', () => {
    expect(shown('a '.repeat(24))).toEqual(['a 0']);
    expect(shown('go a go a go')).toEqual(['go 0', 'a 1', 'go* 4']);
  });

  test('of an identifier are shared by its parts', () => {
    expect(shown('Http2Server ', true)).toEqual(['http 0', 'http2server 0 1 2', '2 1', 'server 2']);
  });
});

const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), minLength: 4, maxLength: 9 });

/** One typo of any kind. */
const typo = fc
  .tuple(letters, fc.nat(), fc.constantFrom('add', 'drop', 'replace', 'swap'))
  .map(([word, seed, kind]) => {
    const at = seed % (word.length - 1);
    const [before, after] = [word.slice(0, at), word.slice(at + 1)];
    if (kind === 'add') return [word, `${before}e${word[at]}${after}`] as const;
    if (kind === 'drop') return [word, before + after] as const;
    if (kind === 'replace') return [word, `${before}e${after}`] as const;
    return [word, before + word[at + 1] + word[at] + after.slice(1)] as const;
  });

describe('typos', () => {
  test('have distance one, and their pattern finds the intended word', () => {
    fc.assert(
      fc.property(typo, ([intended, typed]) => {
        expect(distance(typed, intended, 1)).toBeLessThanOrEqual(1);
        fc.pre(canHaveTypos(typed) && typed !== intended);
        const near = nearestWords([typed], [` other ${intended} words `, ' more ']);
        expect(near.get(typed)).toContain(intended);
      }),
    );
  });

  test('have a symmetric distance, and none to the word itself', () => {
    fc.assert(
      fc.property(letters, letters, (a, b) => {
        expect(distance(a, b, 3)).toBe(distance(b, a, 3));
        expect(distance(a, a, 0)).toBe(0);
      }),
    );
  });

  test('are not tolerated in short words', () => {
    expect(nearestWords(['abc', 'de'], [' abcd def ']).size).toBe(0);
  });
});

const pageText = (title: string, ...texts: string[]): PageText => ({
  title,
  label: '',
  description: '',
  sections: texts.map((text) => ({ title: '', text })),
});

const somePages = fc.array(
  fc
    .tuple(letters, fc.array(letters, { maxLength: 40 }))
    .map(([title, words]) => pageText(title, words.join(' '))),
  { minLength: 1, maxLength: 8 },
);

describe('segments', () => {
  const sameAs = (segment: Segment) => new Map([...segment].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const numbered = (pages: readonly PageText[]) => pages.map((text, index) => ({ number: index + 1, text }));

  test('are the same merged as written together, and without removed pages', () => {
    fc.assert(
      fc.property(somePages, fc.nat(), (texts, seed) => {
        const pages = numbered(texts);
        const merged: Segment = new Map();
        for (const page of pages) {
          for (const { entries } of blocksOf(segmentOf([page]))) mergeBlock(merged, entries, new Set());
        }
        expect(sameAs(merged)).toEqual(sameAs(segmentOf(pages)));

        const removed = new Set(pages.map(({ number }) => number).filter((number) => (seed >> number) % 2));
        const rest: Segment = new Map();
        for (const { entries } of blocksOf(merged)) mergeBlock(rest, entries, removed);
        expect(sameAs(rest)).toEqual(sameAs(segmentOf(pages.filter(({ number }) => !removed.has(number)))));
      }),
    );
  });

  test('are split into blocks in the sort order of the database', () => {
    fc.assert(
      fc.property(fc.array(anyText), (texts) => {
        const segment = segmentOf(numbered([pageText('', ...texts.map(composed))]));
        const blocks = blocksOf(segment);
        const words = blocks.flatMap(({ entries }) => entriesOf(entries).map(([word]) => word));
        expect(words).toEqual(words.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
        expect(new Set(words)).toEqual(new Set(segment.keys()));
        for (const { first, entries } of blocks) expect(entriesOf(entries)[0]?.[0]).toBe(first);
      }),
    );
  });

  test('give the entries with a prefix', () => {
    fc.assert(
      fc.property(fc.array(anyText), fc.nat(), fc.nat(), (texts, nth, length) => {
        const segment = segmentOf(numbered([pageText('Some title', ...texts.map(composed))]));
        const words = [...segment.keys()];
        const prefix = (words[nth % words.length] ?? '').slice(0, 1 + (length % 8));
        for (const { entries } of blocksOf(segment))
          expect(entriesWith(entries, prefix)).toEqual(
            entriesOf(entries).filter(([word]) => word.startsWith(prefix)),
          );
      }),
    );
  });

  test('list each word once', () => {
    const text = Array.from({ length: 20_000 }, (_each, n) => `w${n.toString(36)}q`).join(' ');
    const segment = segmentOf(numbered([pageText('Some title', `readFile read ${text}`)]));
    const list = segmentWords(segment);
    expect(list).toMatch(/^ .* $/);
    const words = list.trim().split(' ');
    expect(new Set(words).size).toBe(words.length);
    expect(words).toEqual(expect.arrayContaining(['title', 'readfile', 'read', 'file', 'w0q']));
  });
});

describe('ranking', () => {
  function order(query: string, ...pages: PageText[]): number[] {
    const terms = parseQuery(query);
    const segment = segmentOf(pages.map((text, number) => ({ number, text })));
    const entries: Entry[] = [...segment];
    const lookups = lookupsOf(terms, titleKey(query));
    const found = lookups.map((lookup) => ({ lookup, entries }));
    const matches = matchesOf(terms, found, new Set()).filter((match) => hasAllTerms(match, terms));
    return rankMatches(terms, weightsOf(terms, matches), matches).map(({ page }) => page);
  }
  const heading = (title: string): PageText => ({
    title: 'Other',
    label: '',
    description: '',
    sections: [{ title, text: 'nothing of it' }],
  });

  test('does not depend on whether positions are kept', () => {
    const words = fc.array(fc.constantFrom('access', 'token', 'tokens', 'key'), { maxLength: 12 });
    const pages = fc.array(
      fc.array(fc.tuple(words, words), { maxLength: 5 }).map((some): PageText => ({
        title: 'Access',
        label: '',
        description: '',
        sections: some.map(([title, text]) => ({ title: title.join(' '), text: text.join(' ') })),
      })),
      { minLength: 1, maxLength: 5 },
    );
    fc.assert(
      fc.property(
        pages,
        fc.constantFrom('token', 'access token', 'key key access ', 'token key toke'),
        (texts, query) => {
          const terms = parseQuery(query);
          const entries: Entry[] = [...segmentOf(texts.map((text, number) => ({ number, text })))];
          const found = lookupsOf(terms).map((lookup) => ({ lookup, entries }));
          const matches = matchesOf(terms, found, new Set());
          const result = () =>
            rankMatches(terms, weightsOf(terms, matches), matches).map(({ page, score, match }) => ({
              page,
              score,
              sections: sectionsOf(match),
            }));
          const before = result();
          summarizePositions(terms, matches);
          expect(matches.flatMap(({ uses }) => uses.flatMap((use) => use?.stored ?? []))).toEqual([]);
          expect(result()).toEqual(before);
        },
      ),
    );
  });

  test('finds a phrase with repeated words', () => {
    const separate = pageText('Other', 'go to the go or to it');
    expect(order('go to go', separate, pageText('Other', 'and go to go there'))).toEqual([1, 0]);
  });

  test('puts title before heading before body', () => {
    expect(
      order('token', pageText('Other', 'one token'), heading('A token'), pageText('Token', 'x')),
    ).toEqual([2, 1, 0]);
  });

  test('puts a phrase before scattered words, however many', () => {
    const scattered = pageText('Other', 'token of the access, access by token, access to token. '.repeat(20));
    expect(order('access token', scattered, pageText('Other', 'the access token'))).toEqual([1, 0]);
  });

  test('puts adjacent words before separate words', () => {
    const separate = pageText('Other', `access ${'x '.repeat(50)} token`);
    expect(order('access token', separate, pageText('Other', 'access with a token'))).toEqual([1, 0]);
  });

  test('puts the exact word before longer ones', () => {
    expect(order('auth', pageText('Other', 'author'), pageText('Other', 'auth'))).toEqual([1, 0]);
  });

  test('puts the exact title, or the exact label, before longer ones', () => {
    const often = pageText('Kubernetes Deployment', 'deployment '.repeat(50));
    expect(order('deployment', often, pageText('Deployment', 'x'))).toEqual([1, 0]);
    expect(order('Deployment?', often, { ...pageText('Steps', 'x'), label: 'Deployment' })).toEqual([1, 0]);
    expect(order('日本語', pageText('日本語の文書', '日本語'), pageText('日本語', 'x'))).toEqual([1, 0]);
  });

  test('finds a phrase anywhere on a page, however often its words occur before', () => {
    const late = pageText('Other', `${'token access '.repeat(3000)}`, 'an access key');
    const separate = pageText('Other', 'key key key access access access');
    expect(order('access key', separate, late)).toEqual([1, 0]);
  });

  test('finds the same phrases as a brute-force search', () => {
    const list = fc
      .uniqueArray(fc.nat({ max: 30 }), { minLength: 1, maxLength: 12 })
      .map((some) => some.toSorted((a, b) => a - b));
    const terms = parseQuery('a b c ');
    fc.assert(
      fc.property(list, list, list, (a, b, c) => {
        const expected = a.some((at) => b.includes(at + 1) && c.includes(at + 2));
        expect(isPhrase(terms, [a, b, c])).toBe(expected);
      }),
    );
  });

  test('finds the same shortest span as a brute-force search', () => {
    const list = fc.uniqueArray(fc.nat({ max: 40 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.array(list, { minLength: 2, maxLength: 3 }), (lists) => {
        const ascending = lists.map((each) => each.toSorted((a, b) => a - b));
        let choices: number[][] = [[]];
        for (const each of ascending) choices = choices.flatMap((some) => each.map((one) => [...some, one]));
        const shortest = Math.min(...choices.map((some) => Math.max(...some) - Math.min(...some) + 1));
        expect(shortestSpan(ascending)).toBe(shortest);
      }),
    );
  });
});

describe('identifiers', () => {
  const parts = (token: string) =>
    partsOf(token).map(({ start, end, place }) => `${place} ${token.slice(start, end)}`);

  test.each([
    ['WorkflowInstanceManager', ['0 Workflow', '1 Instance', '2 Manager']],
    ['Http2Server', ['0 Http2', '0 Http', '1 2', '2 Server']],
    ['sha256sum', ['0 sha256', '0 sha', '1 256', '2 sum']],
    ['XMLHttpRequest', ['0 XML', '1 Http', '2 Request']],
    ['OAuth2Client', ['0 OAuth2', '0 O', '1 Auth2', '1 Auth', '2 2', '3 Client']],
    ['IWorkflow', ['0 I', '1 Workflow']],
    ['ÉcoleSupérieure', ['0 École', '1 Supérieure']],
    ['APIs', []],
    ['HTTP', []],
    ['Workflow', []],
    ['2026', []],
    ['da39a3ee5e6b4b0d3255bfef95601890afd80709', []],
  ])('%s has its parts', (token, expected) => {
    expect(parts(token)).toEqual(expected);
  });

  test('have parts that occur in the text, in order', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const normalized = composed(text);
        let last = 0;
        eachWord(normalized, (_word, _kind, end, place) => {
          expect(place).toBeGreaterThanOrEqual(last);
          expect(end).toBeLessThanOrEqual(normalized.length);
          last = place;
        });
      }),
    );
  });

  test('in a query are one word, or their smallest parts', () => {
    const shown = (query: string, byPart: boolean) =>
      parseQuery(query, byPart).map(({ word, place, isPrefix, alternatives }) => ({
        word,
        place,
        isPrefix,
        alternatives,
      }));
    expect(shown('the Http2Server', false)).toEqual([
      { word: 'the', place: 0, isPrefix: false, alternatives: [] },
      { word: 'http2server', place: 1, isPrefix: true, alternatives: [] },
    ]);
    const alternatives = ['http2server'];
    expect(shown('the Http2Server', true)).toEqual([
      { word: 'the', place: 0, isPrefix: false, alternatives: [] },
      { word: 'http', place: 1, isPrefix: false, alternatives },
      { word: '2', place: 2, isPrefix: false, alternatives },
      { word: 'server', place: 3, isPrefix: true, alternatives },
    ]);
  });
});

test('positions are delta-encoded', () => {
  // Section 3: the second word of its heading, and the fifth of its body.
  const bytes = bytesOf(`9,${3 * 8192 + 1},2051`);
  expect(decodePositions(bytes, 2, bytes.length)).toEqual([3 * 8192 + 1, 3 * 8192 + 2048 + 4]);
});

describe('excerpts', () => {
  const excerpt = (text: string, query: string) => {
    const normalized = composed(text);
    return excerptOf(normalized, occurrencesOf(normalized, parseQuery(query)));
  };

  test('show the text around the match, cut between words', () => {
    const text = `${'before '.repeat(40)}the Café token ${'after '.repeat(60)}`;
    const shown = excerpt(text, 'cafe token');
    expect(shown).toMatch(/^…before .* the Café token after .* after…$/);
    expect(shown.length).toBeLessThan(260);
  });

  test('choose the passage with most of the words', () => {
    const text = `token ${'x '.repeat(300)} access token`;
    expect(excerpt(text, 'access token')).toContain('access token');
  });

  test('consider a few occurrences of a word, also in texts with marks', () => {
    for (const word of ['cafe', 'caf\u0301e'])
      expect(occurrencesOf(`${word} `.repeat(500), parseQuery('cafe token '))).toHaveLength(8);
  });

  test('find a word inside a sentence', () => {
    expect(countTerms(occurrencesOf('これは日本語の文書です', parseQuery('日本語')))).toBe(2);
    expect(excerpt(`${'あ'.repeat(500)}日本語${'い'.repeat(500)}`, '日本語')).toContain('日本語');
  });

  test('find the parts of identifiers', () => {
    const text = `${'x '.repeat(300)}the WorkflowInstanceManager starts`;
    expect(excerpt(text, 'instance manager')).toContain('WorkflowInstanceManager');
    expect(occurrencesOf('instanceof reInstance', parseQuery('instance '))).toEqual([{ at: 13, term: 0 }]);
  });

  test('do not match a part for the whole word', () => {
    expect(occurrencesOf('antitoken tokens', parseQuery('token '))).toEqual([]);
    expect(occurrencesOf('antitoken tokens', parseQuery('token'))).toEqual([{ at: 10, term: 0 }]);
  });

  test('of any text are short, without broken characters', () => {
    fc.assert(
      fc.property(anyText, anyText, (text, query) => {
        const shown = excerpt(text.repeat(20), query);
        expect(shown.length).toBeLessThanOrEqual(242);
        expect(Buffer.from(shown).toString()).toBe(shown);
      }),
    );
  });
});

describe('matching sections', () => {
  const sections = (...texts: readonly (readonly [title: string, text: string])[]) =>
    texts.map(([title, text]) => ({ id: title || undefined, title, text }));
  const filler = 'nothing of it '.repeat(1000);

  test('are those with most of the words, at most three', () => {
    const found = matchingSections(
      sections(['', 'token'], ['Access', 'token'], ['x', 'none'], ['y', 'access token'], ['z', 'token']),
      parseQuery('access token'),
    );
    expect(found.map(({ anchor }) => anchor)).toEqual(['Access', 'y', undefined]);
  });

  test('have an excerpt of the passage with most of the words', () => {
    const text = `a token ${filler} access token ${filler} access`;
    const [found] = matchingSections(sections(['One', text]), parseQuery('access token'));
    expect(found?.excerpt).toContain('access token');
  });

  test('count the words of all passages', () => {
    const apart = `access ${filler} token`;
    const found = matchingSections(sections(['a', 'token'], ['b', apart]), parseQuery('access token'));
    expect(found.map(({ anchor }) => anchor)).toEqual(['b', 'a']);
  });
});

test('passages of any text are short, without broken characters, and together the text', () => {
  const long = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.constantFrom('word ', '𠀀'));
  fc.assert(
    fc.property(long, fc.nat({ max: 3000 }), (text, times) => {
      const all = composed(text.repeat(times));
      const pieces = passagesOf(all);
      expect(pieces.join('')).toBe(all);
      for (const piece of pieces) {
        expect(piece.length).toBeLessThanOrEqual(4000);
        expect(Buffer.from(piece).toString()).toBe(piece);
      }
    }),
    { numRuns: 50 },
  );
});
