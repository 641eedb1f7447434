import { describe, expect, it } from 'vitest';
import { headersFor } from '../response-headers.ts';
import { typeOf } from './content-type.ts';

/** Characters up to 255 stand for bytes. */
const bytes = (text: string) => Buffer.from(text, 'latin1');
const utf16 = (text: string) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
const bigEndian = (text: string) => utf16(text).swap16();

const PNG = '\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01';
const GIF = 'GIF89a\x01\0\x01\0\0\0\0';
const JPEG = '\xff\xd8\xff\xe0\0\x10JFIF\0';
const ICON = `\0\0\x01\0\x01\0\x10\x10\0\0\x01\0\x20\0${'\0'.repeat(8)}`;
const ZIP = 'PK\x03\x04\x14\0\0\0\x08\0';
const MP3 = '\xff\xfb\x90\x64\0\0\0\0';
const ftyp = (major: string, ...compatible: string[]) =>
  `\0\0\0${String.fromCharCode(16 + 4 * compatible.length)}ftyp${major}\0\0\0\0${compatible.join('')}`;
const SCRIPT = '<script>alert(document.domain)</script>';

describe('typeOf', () => {
  it.each([
    ['image/png', PNG, 'a.png'],
    ['image/jpeg', JPEG, 'a.jpg'],
    ['image/jpeg', '\xff\xd8\xff\xe1\0\x10Exif', 'a.jpg'],
    ['image/gif', GIF, 'a.gif'],
    ['image/webp', 'RIFF\x24\0\0\0WEBPVP8 ', 'a.webp'],
    ['image/avif', ftyp('avif', 'mif1'), 'a.avif'],
    ['image/avif', ftyp('mif1', 'miaf', 'avif'), 'a.avif'],
    ['image/heic', ftyp('heic', 'mif1'), 'a.heic'],
    ['image/x-icon', ICON, 'a.ico'],
    ['image/tiff', 'II*\0\x08\0\0\0', 'a.tif'],
    ['image/bmp', `BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0${'\0'.repeat(20)}`, 'a.bmp'],
    ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'a.svg'],
    ['image/svg+xml', '\xef\xbb\xbf<?xml version="1.0"?>\n<!-- x -->\n<svg>', 'a.svg'],
    ['application/pdf', '%PDF-1.7\n%\xe2\xe3', 'a.pdf'],
    ['video/mp4', ftyp('isom', 'mp41'), 'a.mp4'],
    ['video/mp4', ftyp('mp42'), 'a.mp4'],
    ['video/quicktime', ftyp('qt  '), 'a.mov'],
    ['audio/mp4', ftyp('M4A '), 'a.m4a'],
    ['video/webm', '\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x84webm', 'a.webm'],
    ['video/x-matroska', '\x1a\x45\xdf\xa3\x9f\x42\x82\x88matroska', 'a.mkv'],
    ['audio/mpeg', 'ID3\x04\0\0\0\0\0\0', 'a.mp3'],
    ['audio/mpeg', MP3, 'a.mp3'],
    ['audio/wav', 'RIFF\x24\0\0\0WAVEfmt ', 'a.wav'],
    ['audio/ogg', 'OggS\0\x02', 'a.ogg'],
    ['audio/flac', 'fLaC\0\0\0\x22', 'a.flac'],
    ['application/zip', ZIP, 'a.zip'],
    ['application/zip', 'PK\x05\x06\0\0', 'a.zip'],
    ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', ZIP, 'a.DOCX'],
    ['application/gzip', '\x1f\x8b\x08\0', 'a.tar.gz'],
    ['application/x-tar', `${'x'.repeat(257)}ustar\x0000`, 'a.tar'],
    ['font/woff', 'wOFF\0\x01\0\0', 'a.woff'],
    ['font/woff2', 'wOF2\0\x01\0\0', 'a.woff2'],
    ['font/ttf', '\0\x01\0\0\0\x0c', 'a.ttf'],
    ['font/otf', 'OTTO\0\x0c', 'a.otf'],
    ['application/json', '{"a": [1]}', 'a'],
    ['application/json', '{"cut', 'a.json'],
    ['text/html', '<!DOCTYPE html><title>x', 'a.html'],
    ['application/xml', '<?xml version="1.0"?><rss/>', 'feed'],
    ['application/xml', '<rss/>', 'a.xml'],
    ['application/xml', '<!DOCTYPE note SYSTEM "a.dtd"><note/>', 'a'],
    ['text/markdown', '# Title', 'README.md'],
    ['text/markdown', '<p align="center"><img src="a.png"></p>\n\n# Title', 'README.md'],
    ['text/csv', 'a,b\n1,2', 'a.csv'],
    ['text/javascript', 'alert(1)', 'a.js'],
    ['text/css', 'a{}', 'a.css'],
    ['application/yaml', 'a: 1', 'a.yml'],
    ['text/plain', 'hello \xc3\xa9', 'a'],
    ['text/plain', '', 'empty'],
    ['text/plain', 'caf\xe9', 'a.txt'],
    ['text/plain', '[link](a)', 'a'],
    ['application/octet-stream', 'caf\xe9', 'a'],
    ['application/octet-stream', '\0\x01\x02', 'a.txt'],
    ['application/octet-stream', 'MZ\x90\0\x03', 'a.exe'],
    ['application/octet-stream', '\x7fELF\x02', 'a'],
  ])('%s', (type, content, name) => expect(typeOf(bytes(content), name)).toBe(type));

  it('reads other encodings', () => {
    expect(typeOf(utf16('hello'), 'a.txt')).toBe('text/plain');
    expect(typeOf(utf16('<svg>'), 'a')).toBe('image/svg+xml');
    expect(typeOf(bigEndian('<html>'), 'a')).toBe('text/html');
    expect(typeOf(bytes(`${'\xc3\xa9'.repeat(40_000)}`).subarray(0, 65_537), 'a')).toBe('text/plain');
  });

  // If it took quadratic time, the test would time out.
  it('reads long texts', () => {
    for (const text of [
      '<!--'.repeat(500_000),
      '['.repeat(200_000),
      '{"a":'.repeat(40_000),
      ' '.repeat(2_000_000),
    ]) {
      expect(typeOf(bytes(text), 'a')).toMatch(/^[a-z]+\//);
    }
  });
});

/** Types that browsers execute when they open them. All others may be shown. */
const ACTIVE = /html|svg|xml|pdf|javascript|ecmascript|css|octet|zip|font/;

describe('files that are not what they are called', () => {
  const POLYGLOTS: [what: string, content: Buffer, name: string, type: string][] = [
    ['a PNG that is HTML', bytes(`<html>${SCRIPT}`), 'a.png', 'text/html'],
    ['a JPEG that is HTML', bytes(`<!DOCTYPE html>${SCRIPT}`), 'a.jpg', 'text/html'],
    ['a GIF that is a script', bytes(SCRIPT), 'a.gif', 'text/html'],
    ['a text that is HTML', bytes(`<html>${SCRIPT}`), 'a.txt', 'text/html'],
    ['a CSV that is HTML', bytes(`<body onload=alert(1)>`), 'a.csv', 'text/html'],
    ['Markdown that is HTML', bytes(`<script>alert(1)</script>`), 'a.md', 'text/html'],
    ['JSON that is HTML', bytes(`<iframe src=javascript:alert(1)>`), 'a.json', 'text/html'],
    ['HTML after white space', bytes(`\n\n \t\r\n<HTML>${SCRIPT}`), 'a.png', 'text/html'],
    ['HTML after a byte order mark', bytes(`\xef\xbb\xbf<html>${SCRIPT}`), 'a.png', 'text/html'],
    ['HTML after a comment', bytes(`<!-- x --><html>${SCRIPT}`), 'a.png', 'text/html'],
    ['HTML after a long comment', bytes(`<!-- ${'x'.repeat(5000)} --><html>${SCRIPT}`), 'a.png', 'text/html'],
    ['HTML in a comment without end', bytes(`<!-- ${SCRIPT}`), 'a.png', 'text/html'],
    ['HTML in capitals', bytes('<ScRiPt>alert(1)</sCrIpT>'), 'a.webp', 'text/html'],
    ['HTML by an attribute', bytes('<img src=x onerror=alert(1)>'), 'a.jpg', 'text/html'],
    ['HTML by a slash', bytes('<svg/onload=alert(1)>'), 'a.jpg', 'image/svg+xml'],
    ['HTML of an iframe', bytes('<iframe/src="javascript:alert(1)">'), 'a.mp4', 'text/html'],
    ['HTML of two bytes a character', utf16(`<html>${SCRIPT}`), 'a.png', 'text/html'],
    ['the same, the other way round', bigEndian(`<html>${SCRIPT}`), 'a.png', 'text/html'],
    [
      'XHTML',
      bytes('<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><script/></html>'),
      'a.png',
      'application/xml',
    ],
    [
      'XML with a style sheet',
      bytes('<?xml version="1.0"?><?xml-stylesheet href="a.xsl"?><a/>'),
      'a.jpg',
      'application/xml',
    ],
    [
      'XML with an entity',
      bytes('<!DOCTYPE note [<!ENTITY b SYSTEM "file:///etc/passwd">]><note>&b;</note>'),
      'a.png',
      'application/xml',
    ],
    ['an SVG called PNG', bytes(`<svg>${SCRIPT}</svg>`), 'a.png', 'image/svg+xml'],
    ['an SVG called text', bytes(`<svg>${SCRIPT}</svg>`), 'a.txt', 'image/svg+xml'],
    [
      'an SVG behind a DOCTYPE',
      bytes('<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "x"><svg onload="alert(1)">'),
      'a.png',
      'image/svg+xml',
    ],
    [
      'an SVG behind declarations',
      bytes('<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "]>">]><svg>'),
      'a.png',
      'application/xml',
    ],
    [
      'an SVG with a prefix',
      bytes('<x:svg xmlns:x="http://www.w3.org/2000/svg"><x:script/></x:svg>'),
      'a.gif',
      'image/svg+xml',
    ],
    ['an SVG of two bytes a character', utf16('<svg onload="alert(1)">'), 'a.png', 'image/svg+xml'],
    ['an image with HTML inside', bytes(`${PNG}<html>${SCRIPT}`), 'a.html', 'image/png'],
    ['a GIF that is a script too', bytes(`GIF89a/*${'\0'.repeat(8)}*/=1;alert(1)`), 'a.js', 'image/gif'],
    ['a JPEG that is a script too', bytes('\xff\xd8\xff\xe0/*JFIF*/=1;alert(1)'), 'a.js', 'image/jpeg'],
    ['a JPEG with HTML in its comment', bytes(`\xff\xd8\xff\xfe\0\x30${SCRIPT}`), 'a.html', 'image/jpeg'],
    ['an icon with HTML inside', bytes(`${ICON}${SCRIPT}`), 'a.html', 'image/x-icon'],
    ['a WAV with HTML inside', bytes(`RIFF\x24\0\0\0WAVE${SCRIPT}`), 'a.html', 'audio/wav'],
    ['an MP3 with HTML in its tag', bytes(`ID3\x04${SCRIPT}`), 'a.html', 'audio/mpeg'],
    ['a PDF called PNG', bytes('%PDF-1.7 /JavaScript'), 'a.png', 'application/pdf'],
    ['a PDF with HTML inside', bytes(`%PDF-1.4\n${SCRIPT}`), 'a.html', 'application/pdf'],
    ['a PDF after other text', bytes('x %PDF-1.7 /JavaScript'), 'a.pdf', 'text/plain'],
    ['an archive called PNG', bytes(ZIP), 'a.png', 'application/zip'],
    ['an archive called JAR', bytes(ZIP), 'a.jar', 'application/java-archive'],
    ['an image and an archive', bytes(`${GIF}${ZIP}`), 'a.jar', 'image/gif'],
    ['an archive of HTML', bytes(`\x1f\x8b\x08\0${SCRIPT}`), 'a.html', 'application/gzip'],
    ['a program called PNG', bytes('MZ\x90\0\x03\0\0\0'), 'a.png', 'application/octet-stream'],
    ['a program with two extensions', bytes('MZ\x90\0\x03\0\0\0'), 'a.jpg.exe', 'application/octet-stream'],
    ['a shell script called JPEG', bytes('#!/bin/sh\nrm -rf /'), 'a.jpg', 'text/plain'],
    ['PHP called JPEG', bytes('<?php system($_GET[0]); ?>'), 'a.php.jpg', 'text/plain'],
    ['HTML with two extensions', bytes(`<html>${SCRIPT}`), 'a.html.png', 'text/html'],
    ['an image with two extensions', bytes(PNG), 'a.png.html', 'image/png'],
    ['a script called PNG', bytes('alert(1)'), 'a.png', 'text/plain'],
    ['a script called SVG', bytes('alert(1)'), 'a.svg', 'text/plain'],
    ['a script called HTML', bytes('alert(1)'), 'a.html', 'text/plain'],
    ['noise called HTML', bytes('\0\x01\x02\x03'), 'a.html', 'application/octet-stream'],
    ['noise called SVG', bytes('\0<svg onload=alert(1)>'), 'a.svg', 'application/octet-stream'],
    ['HTML after a NUL', bytes(`\0<html>${SCRIPT}`), 'a.html', 'application/octet-stream'],
    ['HTML in UTF-7', bytes('+ADw-script+AD4-alert(1)+ADw-/script+AD4-'), 'a.html', 'text/plain'],
    ['HTML in Latin-1', bytes(`<html>caf\xe9${SCRIPT}`), 'a.png', 'text/html'],
    ['half an image', bytes('\x89PNG'), 'a.png', 'application/octet-stream'],
    ['an extension that is a property', bytes('x'), 'a.constructor', 'text/plain'],
    ['a name that is all extension', bytes('x'), '.htaccess', 'text/plain'],
    ['a manifest', bytes('{"start_url":"/"}'), 'a.webmanifest', 'application/json'],
    ['a service worker', bytes('self.onfetch = 1'), 'sw.js', 'text/javascript'],
  ];

  it('are at least 40', () => expect(POLYGLOTS.length).toBeGreaterThanOrEqual(40));

  it.each(POLYGLOTS)('%s', (_what, content, name, type) => {
    expect(typeOf(content, name)).toBe(type);
    const headers = headersFor(typeOf(content, name), name);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['content-security-policy']).toMatch(/^sandbox( allow-same-origin)?; default-src 'none'/);
    expect(headers['content-type']).not.toMatch(/javascript|css/);
    const isInline = headers['content-disposition']?.startsWith('inline');
    expect(isInline && ACTIVE.test(type), type).toBe(false);
  });
});
