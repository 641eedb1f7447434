import { describe, expect, it } from 'vitest';
import { isPublic, parseAddress, type Address } from './address.ts';
import { createRules } from './rules.ts';

const at = (text: string): Address => {
  const address = parseAddress(text);
  if (!address) throw new Error(text);
  return address;
};

describe('isPublic', () => {
  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '93.184.216.34',
    '172.15.255.255',
    '172.32.0.0',
    '100.63.255.255',
    '100.128.0.0',
  ])('is true for %s', (text) => expect(isPublic(at(text))).toBe(true));
  it.each(['2606:4700:4700::1111', '2a00:1450:4001::1', '2001:4860:4860::8888', '2003::1', '2600::'])(
    'is true for %s',
    (text) => expect(isPublic(at(text))).toBe(true),
  );
  it.each([
    '168.63.129.16',
    '::7f00:1',
    '::1',
    '::',
    '64:ff9b::808:808',
    '2002:808:808::1',
    '2001:0:1::',
    '::ffff:8.8.8.8',
  ])('is false for %s', (text) => expect(isPublic(at(text))).toBe(false));
});

describe('parseAddress', () => {
  it.each([
    '127.1',
    '0177.0.0.1',
    '0x7f.0.0.1',
    '2130706433',
    'fe80::1%lo',
    '',
    'example.com',
    '1.2.3.4 ',
    '[::1]',
  ])('does not take %j', (text) => expect(parseAddress(text)).toBeUndefined());
});

describe('createRules', () => {
  it('admits public addresses on ports 80 and 443 only', () => {
    const rules = createRules([], []);
    expect([80, 443, 8080].map((port) => rules.admits('a.example', at('8.8.8.8'), port))).toEqual([
      true,
      true,
      false,
    ]);
    expect(rules.mayUsePort(8080)).toBe(false);
    expect(rules.admits('a.example', at('10.0.0.1'), 80)).toBe(false);
  });

  it.each([
    // entry, host, address, port, admitted
    ['10.0.0.0/8', 'a.example', '10.1.2.3', 80, true],
    ['10.0.0.0/8', 'a.example', '10.1.2.3', 8080, false],
    ['10.0.0.0/8', 'a.example', '11.1.2.3', 8080, false],
    ['10.0.0.0/8', 'a.example', '192.168.0.1', 80, false],
    ['10.0.0.0/8', 'a.example', '::ffff:10.1.2.3', 80, false],
    ['10.0.0.0/8:8080', 'a.example', '10.1.2.3', 8080, true],
    ['10.0.0.0/8:8080', 'a.example', '10.1.2.3', 80, false],
    ['10.0.0.5', '10.0.0.5', '10.0.0.5', 443, true],
    ['10.0.0.5:*', '10.0.0.5', '10.0.0.5', 9999, true],
    ['fd00::/8', 'a.example', 'fd12::1', 80, true],
    ['::1', '::1', '::1', 80, true],
    ['[::1]:3000', '::1', '::1', 3000, true],
    ['[::1]:3000', '::1', '::1', 80, false],
    ['[fd00::]/8:3000', 'a.example', 'fd12::1', 3000, true],
    ['git.corp.example', 'git.corp.example', '10.0.0.9', 443, true],
    ['GIT.Corp.Example.', 'git.corp.example', '10.0.0.9', 443, true],
    ['git.corp.example', 'other.corp.example', '10.0.0.9', 443, false],
    ['*.corp.example', 'git.corp.example', '10.0.0.9', 443, true],
    ['*.corp.example', 'corp.example', '10.0.0.9', 443, false],
    ['*.corp.example', 'evilcorp.example', '10.0.0.9', 443, false],
    ['gitea:3000', 'gitea', '172.18.0.2', 3000, true],
    ['bücher.example', 'xn--bcher-kva.example', '10.0.0.9', 443, true],
    ['public.example:8443', 'public.example', '8.8.8.8', 8443, true],
    ['public.example:8443', 'public.example', '8.8.8.8', 443, true],
    ['public.example:8443', 'other.example', '8.8.8.8', 8443, false],
  ])('%s: %s at %s on %i', (entry, hostname, address, port, admitted) => {
    expect(createRules([entry], []).admits(hostname, at(address), port)).toBe(admitted);
  });

  it.each([
    '',
    'http://a.example',
    'a.example/path',
    '10.0.0.0/33',
    'a.example:0',
    'a.example:99999',
    'user@a.example',
    '*',
    'a*.example',
    '10.0.0.0/8/9',
    'a b',
    'fd00::/8:80',
  ])('refuses %j and says so', (entry) => expect(() => createRules([entry], [])).toThrow('is not a host'));

  it('never admits where this server listens, even if allowed', () => {
    const rules = createRules(['127.0.0.0/8:*', '8.8.8.8:*'], ['127.0.0.1:3000', '8.8.8.8']);
    expect(rules.admits('127.0.0.1', at('127.0.0.1'), 3000)).toBe(false);
    expect(rules.admits('127.0.0.1', at('127.0.0.1'), 3001)).toBe(true);
    expect(rules.admits('a.example', at('8.8.8.8'), 443)).toBe(false);
  });

  it('takes the unspecified address for every address of the machine', () => {
    for (const own of ['0.0.0.0:3000', '[::]:3000']) {
      const rules = createRules(['127.0.0.0/8:*', '[::1]:*'], [own]);
      expect(rules.admits('localhost', at('127.0.0.7'), 3000)).toBe(false);
      expect(rules.admits('localhost', at('::1'), 3000)).toBe(false);
      expect(rules.admits('localhost', at('127.0.0.7'), 3001)).toBe(true);
      expect(rules.admits('a.example', at('8.8.8.8'), 443)).toBe(true);
    }
  });
});
