import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normaliseUrl } from './index.ts';

describe('normaliseUrl', () => {
  it.each([
    ['https://h.example', 'https://h.example'],
    ['https://h.example/', 'https://h.example'],
    ['https://h.example/index.html', 'https://h.example'],
    ['https://H.Example:443/docs/', 'https://h.example/docs'],
    ['https://h.example./docs', 'https://h.example/docs'],
    ['http://h.example:8080/docs', 'http://h.example:8080/docs'],
    ['https://h.example/docs/index.htm', 'https://h.example/docs'],
    ['https://h.example/docs/INDEX.HTML#part', 'https://h.example/docs'],
    ['https://h.example/docs/intro.html', 'https://h.example/docs/intro'],
    ['https://h.example/docs/.html', 'https://h.example/docs/.html'],
    ['https://h.example/docs/a.html/index.html', 'https://h.example/docs/a'],
    ['https://h.example/docs//', 'https://h.example/docs'],
    ['https://h.example/a/../b', 'https://h.example/b'],
    ['https://h.example/a/%2e%2e/b', 'https://h.example/b'],
    ['https://h.example/%7euser/%66oo%2fbar', 'https://h.example/~user/foo%2Fbar'],
    ['https://h.example/Foo_%28bar%29', 'https://h.example/Foo_(bar)'],
    ['https://h.example/grün', 'https://h.example/gr%C3%BCn'],
    ['https://h.example/a?b=%7e#c', 'https://h.example/a?b=~'],
    ['https://h.example/a.html?', 'https://h.example/a'],
  ])('%s is %s', (url, identity) => expect(normaliseUrl(url)).toBe(identity));

  it.each([
    'mailto:a@b.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://h.example/',
    '/docs',
    '',
    'https://user:secret@h.example/',
    `https://h.example/${'a'.repeat(8192)}`,
  ])('%.40j has none', (url) => expect(normaliseUrl(url)).toBeUndefined());

  it('is its own identity', () => {
    const part = fc.oneof(
      fc.constantFrom('index.html', 'a.html', '.html', 'a.html.htm', '', '%2e', '%41', '%', '.', '..', 'x y'),
      fc.string({ maxLength: 6 }),
    );
    const urls = fc.array(part, { maxLength: 6 }).map((parts) => `https://h.example/${parts.join('/')}`);
    const isStable = (url: string) => {
      const identity = normaliseUrl(url);
      return identity === undefined || normaliseUrl(identity) === identity;
    };
    expect(fc.check(fc.property(urls, isStable)).counterexample).toBeNull();
  });
});
