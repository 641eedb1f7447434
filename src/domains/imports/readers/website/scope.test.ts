import { describe, expect, it } from 'vitest';
import { normaliseUrl } from '../../../../content-engine/html/index.ts';
import { mayBePage, trapIn } from './page-url.ts';
import { scopeOf } from './scope.ts';

const ORIGIN = 'https://h.example';
const at = (path: string) => new URL(path, ORIGIN);

describe('scopeOf', () => {
  it.each([
    // start, URL, in scope
    ['/docs/', '/docs/', true],
    ['/docs/', '/docs', true],
    ['/docs/', '/docs/intro', true],
    ['/docs/', '/docs/a/b/c.html', true],
    ['/docs/', '/DOCS/intro', false],
    ['/docs/', '/docs2/intro', false],
    ['/docs/', '/', false],
    ['/docs/', '/blog/', false],
    ['/docs/', '/docs/../blog', false],
    ['/docs/', '/docs/%2e%2e/blog', false],
    ['/docs/', '/%64ocs/intro', true],
    ['/docs/', 'http://h.example/docs/', false],
    ['/docs/', 'https://h.example:8443/docs/', false],
    ['/docs/', 'https://other.example/docs/', false],
    ['/docs/', 'https://h.example.other.example/docs/', false],
    ['/docs/', 'https://user@h.example/docs/', false],
    ['/docs/', '//h.example/docs/a', true],
    ['/docs/', '//other.example/docs/a', false],
    ['/docs/index.html', '/docs/intro', true],
    ['/docs/index.html', '/blog', false],
    ['/docs/intro.html', '/docs/next.html', true],
    ['/docs/intro.html', '/other.html', false],
    ['/docs/intro', '/docs/intro', true],
    ['/docs/intro', '/docs/intro/', true],
    ['/docs/intro', '/docs/intro/more', true],
    ['/docs/intro', '/docs/introduction', false],
    ['/docs/intro', '/docs/next', false],
    ['/', '/anything', true],
    ['/', 'mailto:a@h.example', false],
    ['/w/index.php?title=Main', '/w/index.php?title=Other', true],
    ['/v1.2', '/v1.2/intro', true],
    ['/v1.2', '/v1.3', false],
    ['//other.example/x/', 'https://h.example/x/', false],
  ])('from %s, %s: %s', (start, url, isInScope) => {
    const identity = normaliseUrl(new URL(url, at(start)));
    expect(identity !== undefined && scopeOf(at(start)).contains(identity)).toBe(isInScope);
  });

  it('does not take a path that begins with two slashes for a host', () => {
    const scope = scopeOf(new URL('https://h.example//other.example/page.html'));
    expect(scope.contains('https://h.example//other.example/x')).toBe(true);
    expect(scope.contains('https://other.example/x')).toBe(false);
  });

  it.each([
    ['/docs/', '/docs/', 'README.md'],
    ['/docs/', '/docs/guide/install/', 'guide/install.md'],
    ['/docs/', '/docs/guide/install.html', 'guide/install.md'],
    ['/docs/intro', '/docs/intro', 'README.md'],
    ['/docs/', '/docs/SUMMARY.html', 'summary-page.md'],
    ['/docs/', '/docs/.gitbook/includes/x', 'gitbook/includes/x.md'],
    ['/docs/', '/docs/a%2Fb/c', 'a-b/c.md'],
    ['/docs/', '/docs/a%5C..%5Cb', 'a-..-b.md'],
    ['/docs/', '/docs/con', 'con-.md'],
    ['/docs/', '/docs/gr%C3%BCn', 'grün.md'],
    ['/docs/', '/docs/%E0%A4%A', '%E0%A4%A.md'],
    ['/docs/', '/docs/notes.md', 'notes.md'],
    ['/docs/', '/docs//x//y', 'x/y.md'],
    ['/w/index.php?title=Main', '/w/index.php?title=Help:Contents/Sub', 'Help-Contents/Sub.md'],
  ])('from %s, the file of %s is %s', (start, url, path) => {
    expect(scopeOf(at(start)).pathOf(normaliseUrl(at(url)) ?? '')).toBe(path);
  });
});

describe('mayBePage', () => {
  it.each(['/', '/guide', '/guide.html', '/v1.2', '/a.php', '/notes.md', '/w/index.php?title=A'])(
    '%s may be',
    (path) => expect(mayBePage(at(path))).toBe(true),
  );
  it.each(['/a?page=2', '/a.PDF', '/a.tar.gz', '/a.js', '/w/index.php?title=A&action=edit', '/feed.xml'])(
    '%s is none',
    (path) => expect(mayBePage(at(path))).toBe(false),
  );
});

describe('trapIn', () => {
  it.each([
    ['/a/b/a/b/a/b/c', undefined],
    ['/a/a/a/a', 'the path repeats itself'],
    ['/a/b/a/b/a/b/a', 'the path repeats itself'],
    ['/x//////y', 'the path repeats itself'],
    [`/${'x'.repeat(256)}`, 'a segment of the path is longer than 255 characters'],
    [`/${Array.from({ length: 17 }, (_, index) => index).join('/')}`, 'the path has more than 16 segments'],
    [
      `/${Array.from({ length: 10 }, (_, index) => `${index}`.repeat(250)).join('/')}`,
      'the URL is longer than 2000 characters',
    ],
  ])('%.30s: %s', (path, reason) => expect(trapIn(at(path))).toBe(reason));
});
