import { describe, expect, it } from 'vitest';
import { headersFor, parseRange, safeName } from './index.ts';

describe('safeName', () => {
  it.each([
    ['photo.png', 'photo.png'],
    ['../../etc/passwd', 'passwd'],
    ['..\\..\\boot.ini', 'boot.ini'],
    ['/absolute/a.png', 'a.png'],
    ['C:\\Users\\a.png', 'a.png'],
    ['a/..', 'file'],
    ['a/', 'file'],
    ['.', 'file'],
    ['..', 'file'],
    ['...', 'file'],
    ['', 'file'],
    ['   ', 'file'],
    ['\u0000\u0001\u007f', 'file'],
    ['a\u0000.png', 'a.png'],
    ['a\r\nSet-Cookie: x', 'aSet-Cookie: x'],
    ['annual\u202Egpj.exe', 'annualgpj.exe'],
    ['a\u2066b\u2069c', 'abc'],
    ['a\u200Bb\u200Dc\uFEFFd\u2060e\u00ADf', 'abcdef'],
    ['a\u2028b\u2029c\u0085d', 'abcd'],
    ['\u3164\u115F\uFFA0\u2800', 'file'],
    ['\u{E0041}tag', 'tag'],
    ['half\uD800', 'half'],
    [' trailing. . ', 'trailing'],
    ['.htaccess', '.htaccess'],
    ['Übersicht 概要 😀.pdf', 'Übersicht 概要 😀.pdf'],
    ['.\u200B./.\u202E.', 'file'],
    ['a\u200B/\u200B..', 'file'],
  ])('%j becomes %j', (name, safe) => {
    expect(safeName(name)).toBe(safe);
    expect(safeName(safe)).toBe(safe);
  });

  it('is cut to 256, extension kept, characters whole', () => {
    expect(safeName(`${'a'.repeat(300)}.png`)).toBe(`${'a'.repeat(252)}.png`);
    expect(safeName('a'.repeat(300))).toHaveLength(256);
    expect(safeName(`x${'😀'.repeat(200)}.png`)).toBe(`x${'😀'.repeat(125)}.png`);
    expect(safeName(`a.${'b'.repeat(300)}`)).toHaveLength(256);
  });
});

describe('parseRange', () => {
  it.each([
    [undefined, 100, undefined],
    ['', 100, undefined],
    ['bytes=0-', 100, { start: 0, end: 99 }],
    ['bytes=0-0', 100, { start: 0, end: 0 }],
    ['bytes=10-19', 100, { start: 10, end: 19 }],
    ['bytes=90-1000', 100, { start: 90, end: 99 }],
    ['bytes=99-', 100, { start: 99, end: 99 }],
    ['BYTES=1-2', 100, { start: 1, end: 2 }],
    ['bytes= 1-2 ', 100, { start: 1, end: 2 }],
    ['bytes=-10', 100, { start: 90, end: 99 }],
    ['bytes=-1000', 100, { start: 0, end: 99 }],
    ['bytes=100-', 100, 'unsatisfiable'],
    ['bytes=100-200', 100, 'unsatisfiable'],
    ['bytes=-0', 100, 'unsatisfiable'],
    ['bytes=0-', 0, 'unsatisfiable'],
    ['bytes=-5', 0, 'unsatisfiable'],
    ['bytes=20-10', 100, undefined],
    ['bytes=0-1,5-6', 100, undefined],
    ['bytes=-', 100, undefined],
    ['bytes=a-b', 100, undefined],
    ['bytes=1-2-3', 100, undefined],
    ['bytes=--1', 100, undefined],
    ['bytes=0x1-2', 100, undefined],
    ['items=0-1', 100, undefined],
    [`bytes=${'9'.repeat(30)}-`, 100, undefined],
    ['bytes=0-999999999999999', 100, { start: 0, end: 99 }],
  ])('%j of %i', (header, size, expected) => expect(parseRange(header, size)).toEqual(expected));
});

describe('headersFor', () => {
  it.each([
    'image/png',
    'image/jpeg',
    'image/gif',
    'image/webp',
    'image/avif',
    'video/mp4',
    'audio/mpeg',
    'text/plain',
  ])('%s is shown', (type) => expect(headersFor(type, 'a')['content-disposition']).toMatch(/^inline; /));

  it.each([
    'image/svg+xml',
    'IMAGE/SVG+XML; x=y',
    'text/html',
    'application/xhtml+xml',
    'application/xml',
    'text/xml',
    'application/pdf',
    'application/octet-stream',
    'text/javascript',
    'application/zip',
    'image/unheard-of',
    'nonsense',
    '',
  ])('%s is handed over as a file, in a sandbox', (type) =>
    expect(headersFor(type, 'a')).toMatchObject({
      'content-disposition': expect.stringMatching(/^attachment; /) as string,
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    }),
  );

  it.each([
    ['image/svg+xml', 'image/svg+xml'],
    ['text/plain', 'text/plain; charset=utf-8'],
    ['text/html; charset=utf-7', 'text/html; charset=utf-8'],
    ['text/javascript', 'text/plain; charset=utf-8'],
    ['application/javascript', 'text/plain; charset=utf-8'],
    ['application/x-javascript', 'text/plain; charset=utf-8'],
    ['application/ecmascript', 'text/plain; charset=utf-8'],
    ['text/jscript', 'text/plain; charset=utf-8'],
    ['text/javascript1.5', 'text/plain; charset=utf-8'],
    ['text/css', 'text/plain; charset=utf-8'],
    ['application/wasm', 'text/plain; charset=utf-8'],
    ['text/html\r\nx: y', 'application/octet-stream'],
    ['', 'application/octet-stream'],
  ])('the type %j is sent as %s', (type, sent) => expect(headersFor(type, 'a')['content-type']).toBe(sent));

  it.each([
    ['a.png', `inline; filename="a.png"; filename*=UTF-8''a.png`],
    ['a "b".png', `inline; filename="a _b_.png"; filename*=UTF-8''a%20%22b%22.png`],
    ['x\r\nSet-Cookie: a=b', `inline; filename="xSet-Cookie: a=b"; filename*=UTF-8''xSet-Cookie%3A%20a%3Db`],
    ['概要.png', `inline; filename="__.png"; filename*=UTF-8''%E6%A6%82%E8%A6%81.png`],
    ["it's (1)*.png", `inline; filename="it's (1)*.png"; filename*=UTF-8''it%27s%20%281%29%2A.png`],
    ['../%2e%2e;x.png', `inline; filename="_2e_2e;x.png"; filename*=UTF-8''%252e%252e%3Bx.png`],
  ])('the name %j is sent safely', (name, disposition) => {
    expect(headersFor('image/png', name)['content-disposition']).toBe(disposition);
  });
});
