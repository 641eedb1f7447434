import { describe, expect, it } from 'vitest';
import { respond, redirectTo, serveSite, type Handler } from '../../../../../test/site.ts';
import { aWork } from '../../../../../test/import-work.ts';
import { readRobots } from './robots.ts';

const text = (lines: string | readonly string[], type = 'text/plain'): Handler =>
  respond(200, { 'content-type': type }, typeof lines === 'string' ? lines : lines.join('\n'));

async function robotsOf(handler: Handler, more: Readonly<Record<string, Handler>> = {}) {
  const site = await serveSite({ '/robots.txt': handler, ...more });
  const robots = await readRobots(aWork().outbound, site.url, new AbortController().signal);
  return { ...robots, allowsPath: (path: string) => robots.allows(new URL(path, site.url)) };
}

describe('robots.txt', () => {
  it.each([
    ['forbids everything', ['User-agent: *', 'Disallow: /'], '/a', false],
    ['forbids nothing', ['User-agent: *', 'Disallow:'], '/a', true],
    ['is about others', ['User-agent: Googlebot', 'Disallow: /'], '/a', true],
    ['names us', ['User-agent: Octavo', 'Disallow: /a', '', 'User-agent: *', 'Disallow: /'], '/b', true],
    ['names us in another case', ['user-AGENT: OCTAVO/2.0', 'disallow: /a'], '/a', false],
    ['names us among others', ['User-agent: a', 'User-agent: octavo', 'Disallow: /a'], '/a', false],
    ['allows a part', ['User-agent: *', 'Disallow: /', 'Allow: /docs/'], '/docs/a', true],
    ['has wildcards', ['User-agent: *', 'Disallow: /*/private/*.html$'], '/x/private/y.html', false],
    ['has wildcards that do not match', ['User-agent: *', 'Disallow: /*.pdf$'], '/a.pdf.html', true],
    ['has encoded paths', ['User-agent: *', 'Disallow: /gr%c3%bcn'], '/grün', false],
    ['begins with a byte order mark', ['\uFEFFUser-agent: *', 'Disallow: /a'], '/a', false],
    ['has comments', ['# all', 'User-agent: * # you', 'Disallow: /a # here'], '/a', false],
    ['is empty', '', '/a', true],
    ['is a web page', `<!doctype html><p>Disallow: /${'x'.repeat(5000)}`, '/a', true],
    ['is binary', '\0\u0001\u0002', '/a', true],
  ])('%s', async (_what, lines, path, isAllowed) => {
    expect((await robotsOf(text(lines))).allowsPath(path)).toBe(isAllowed);
  });

  it.each([400, 401, 403, 404, 410])('allows everything when it is answered by %i', async (status) => {
    expect((await robotsOf(respond(status))).allowsPath('/a')).toBe(true);
  });

  it.each([429, 500, 503, 304])('is an error when it is answered by %i', async (status) => {
    await expect(robotsOf(respond(status))).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(
        /^robots\.txt of 127\.0\.0\.1:\d+ cannot be read: .* Try again later\.$/,
      ),
    });
  });

  it('is followed to where it was moved', async () => {
    const moved = { '/moved.txt': text('User-agent: *\nDisallow: /a') };
    expect((await robotsOf(redirectTo('/moved.txt', 301), moved)).allowsPath('/a')).toBe(false);
  });

  it('is an error when it redirects without end, and when the connection is cut', async () => {
    await expect(robotsOf(redirectTo('/robots.txt'))).rejects.toThrow('it redirects too often');
    await expect(robotsOf((request) => request.socket.destroy())).rejects.toThrow('cannot be reached');
  });

  it.each([
    ['5', 5000],
    ['0.5', 500],
    ['3600', 10_000],
    ['-1', 0],
    ['soon', 0],
    ['Infinity', 10_000],
  ])('asks for a delay of %s', async (delay, expected) => {
    expect((await robotsOf(text(['User-agent: *', `Crawl-delay: ${delay}`]))).delayMs).toBe(expected);
  });

  it.each([
    ['a long rule', `User-agent: *\nDisallow: /${'a*'.repeat(600)}`],
    ['many rules', `User-agent: *\n${'Disallow: /a\n'.repeat(5001)}`],
    ['many wildcards', `User-agent: x\nUser-agent: *\n${`Disallow: /*${'a'.repeat(900)}\n`.repeat(12)}`],
    ['many groups', `User-agent: *\nDisallow: /*${'a'.repeat(900)}\n`.repeat(12)],
    ['many bytes', '#'.repeat(512 * 1024 + 1)],
  ])('is refused with %s', async (_what, body) => {
    await expect(robotsOf(text(body))).rejects.toMatchObject({ status: 422 });
  });

  it('may have many wildcards for other robots', async () => {
    const others = `User-agent: other\n${`Disallow: /*${'a'.repeat(900)}\n`.repeat(12)}`;
    expect((await robotsOf(text(`${others}User-agent: *\nDisallow: /b`))).allowsPath('/b')).toBe(false);
  });

  it('has rules of its own for us, which take precedence over those for all', async () => {
    const all = ['User-agent: A', 'user-agent: *', 'disallow: /b'];
    const own = ['User-agent: octavo/1.0', 'Disallow: /a', 'Allow: /a/b'];
    const { allowsPath } = await robotsOf(text([...all, '', ...own]));
    expect(['/a', '/a/b', '/b'].map(allowsPath)).toEqual([false, true, true]);
    expect((await robotsOf(text(all))).allowsPath('/b/c')).toBe(false);
  });

  it.each(['Other', '*'])('has many agents with the same rules: %s', async (agent) => {
    // The library would multiply them: a hundred million rules take minutes and gigabytes.
    const { allowsPath } = await robotsOf(
      text([...repeat(`User-agent: ${agent}`, 20_000), ...repeat('Disallow: /x', 5000)]),
    );
    expect(allowsPath('/x')).toBe(agent !== '*');
  });
});

const repeat = (line: string, count: number): string[] => Array.from({ length: count }, () => line);
