import { createHmac, createSign, generateKeyPairSync, randomBytes } from 'node:crypto';
import { CompactEncrypt, SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { MAX_TOKEN, verifyVisitorToken } from './verify-token.ts';

const KEY = randomBytes(32).toString('base64url');
const OTHER_KEY = randomBytes(32).toString('base64url');
const NOW = new Date('2026-11-16T12:00:00Z');
const now = NOW.getTime() / 1000;
const HOUR = 3600;
const DAY = 24 * HOUR;

const verify = (token: string) =>
  verifyVisitorToken(token, { key: KEY, audience: ['site1', 'https://docs.example.com'], now: NOW });

const encoded = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

const HEADER = { alg: 'HS256', typ: 'JWT' };
const CLAIMS = { plan: 'pro', exp: now + HOUR };

/** A token with any header and payload, signed as given. */
function signed(header: unknown, payload: unknown, key: string | Buffer = KEY, hash = 'sha256'): string {
  const body = `${encoded(header)}.${encoded(payload)}`;
  return `${body}.${createHmac(hash, key).update(body).digest('base64url')}`;
}

const withClaims = (claims: object) => signed(HEADER, { ...CLAIMS, ...claims });
const withHeader = (header: object) => signed({ ...HEADER, ...header }, CLAIMS);

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const publicPem = rsa.publicKey.export({ type: 'spki', format: 'pem' }) as string;
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });

function rsaSigned(): string {
  const body = `${encoded({ alg: 'RS256', typ: 'JWT' })}.${encoded(CLAIMS)}`;
  return `${body}.${createSign('sha256').update(body).sign(rsa.privateKey).toString('base64url')}`;
}

const nested = (depth: number) => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`) as object;

const [head = '', payload = '', signature = ''] = signed(HEADER, CLAIMS).split('.');

describe('a valid token', () => {
  const VALID: readonly (readonly [string, string])[] = [
    ['signed as documented', signed(HEADER, CLAIMS)],
    ['without a type', signed({ alg: 'HS256' }, CLAIMS)],
    ['with the type in lower case', signed({ alg: 'HS256', typ: 'jwt' }, CLAIMS)],
    ['that expired within the tolerance of clocks', withClaims({ exp: now - 10 })],
    ['that expires in just under 30 days', withClaims({ exp: now + 30 * DAY - 60 })],
    ['with a start in the past', withClaims({ nbf: now - HOUR, iat: now - HOUR })],
    ['for this site', withClaims({ aud: 'site1' })],
    ['for several audiences', withClaims({ aud: ['other', 'https://docs.example.com'] })],
    ['with a key id, which selects nothing', withHeader({ kid: '../../etc/passwd' })],
  ];

  test.each(VALID)('%s is accepted', async (_name, token) => {
    const result = await verify(token);
    expect(result).toMatchObject({ ok: true, claims: { plan: 'pro' } });
  });

  test('of the library is accepted', async () => {
    const token = await new SignJWT({ plan: 'pro', roles: ['a'] })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime(now + HOUR)
      .sign(new TextEncoder().encode(KEY));
    expect(await verify(token)).toMatchObject({
      ok: true,
      claims: { plan: 'pro', roles: ['a'] },
      expiresAt: new Date((now + HOUR) * 1000),
    });
  });
});

/** Each differs from a valid token in one respect. */
const INVALID: readonly (readonly [string, () => string | Promise<string>])[] = [
  ['empty', () => ''],
  ['a word', () => 'token'],
  ['two dots', () => '..'],
  ['two parts', () => `${head}.${payload}`],
  ['four parts', () => `${head}.${payload}.${signature}.${signature}`],
  ['no signature', () => `${head}.${payload}.`],
  ['a cut signature', () => `${head}.${payload}.${signature.slice(0, -2)}`],
  [
    'another character in the signature',
    () => `${head}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
  ],
  ['a longer signature', () => `${head}.${payload}.${signature}AAAA`],
  ['a changed payload', () => `${head}.${encoded({ ...CLAIMS, plan: 'max' })}.${signature}`],
  ['a changed header', () => `${encoded({ ...HEADER, kid: '1' })}.${payload}.${signature}`],
  ['another key', () => signed(HEADER, CLAIMS, OTHER_KEY)],
  ['an empty key', () => signed(HEADER, CLAIMS, '')],
  ['the decoded bytes of the key', () => signed(HEADER, CLAIMS, Buffer.from(KEY, 'base64url'))],
  [
    'alg none without a signature',
    () => new UnsecuredJWT({ plan: 'pro' }).setExpirationTime(now + HOUR).encode(),
  ],
  ['alg none with the signature of HS256', () => signed({ ...HEADER, alg: 'none' }, CLAIMS)],
  ['alg None', () => signed({ ...HEADER, alg: 'None' }, CLAIMS)],
  ['alg NONE and an empty signature', () => `${encoded({ alg: 'NONE' })}.${payload}.`],
  ['alg empty', () => signed({ ...HEADER, alg: '' }, CLAIMS)],
  ['no alg', () => signed({ typ: 'JWT' }, CLAIMS)],
  ['alg as a list', () => signed({ alg: ['HS256'] }, CLAIMS)],
  ['alg hs256', () => signed({ ...HEADER, alg: 'hs256' }, CLAIMS)],
  ['HS384', () => signed({ ...HEADER, alg: 'HS384' }, CLAIMS, KEY, 'sha384')],
  ['HS512', () => signed({ ...HEADER, alg: 'HS512' }, CLAIMS, KEY, 'sha512')],
  ['RS256', rsaSigned],
  ['RS256 in the header, HMAC with the key of the site', () => signed({ ...HEADER, alg: 'RS256' }, CLAIMS)],
  ['HMAC with a public key', () => signed(HEADER, CLAIMS, publicPem)],
  ['ES256', () => new SignJWT(CLAIMS).setProtectedHeader({ alg: 'ES256' }).sign(ec.privateKey)],
  [
    'a key in the header',
    () => signed({ ...HEADER, jwk: { kty: 'oct', k: encoded(OTHER_KEY) } }, CLAIMS, OTHER_KEY),
  ],
  [
    'the address of a key in the header',
    () => signed({ ...HEADER, jku: 'https://evil.example/jwks' }, CLAIMS, OTHER_KEY),
  ],
  ['an unknown critical extension', () => withHeader({ crit: ['exp2'], exp2: 1 })],
  ['an empty list of critical extensions', () => withHeader({ crit: [] })],
  ['a payload that is not encoded', () => withHeader({ crit: ['b64'], b64: false })],
  ['another type', () => withHeader({ typ: 'at+jwt' })],
  ['a type that is no text', () => withHeader({ typ: 7 })],
  ['a token in the token', () => signed({ ...HEADER, cty: 'JWT' }, signed(HEADER, CLAIMS))],
  ['a content type', () => withHeader({ cty: 'JWT' })],
  [
    'encrypted with the key',
    () =>
      new CompactEncrypt(Buffer.from(JSON.stringify(CLAIMS)))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .encrypt(Buffer.from(KEY, 'base64url')),
  ],
  ['no expiry', () => signed(HEADER, { plan: 'pro' })],
  ['expired', () => withClaims({ exp: now - 60 })],
  ['expired in 1970', () => withClaims({ exp: 0 })],
  ['a negative expiry', () => withClaims({ exp: -1 })],
  ['an expiry as text', () => withClaims({ exp: String(now + HOUR) })],
  ['an expiry of null', () => withClaims({ exp: null })],
  ['an expiry as a list', () => withClaims({ exp: [now + HOUR] })],
  ['an expiry in milliseconds', () => withClaims({ exp: (now + HOUR) * 1000 })],
  ['an expiry beyond 30 days', () => withClaims({ exp: now + 31 * DAY })],
  ['an infinite expiry', () => signed(HEADER, '{"plan":"pro","exp":1e999}')],
  ['a start in the future', () => withClaims({ nbf: now + HOUR })],
  ['a start as text', () => withClaims({ nbf: '0' })],
  ['a time of issue as text', () => withClaims({ iat: 'today' })],
  ['another audience', () => withClaims({ aud: 'site2' })],
  ['a list of other audiences', () => withClaims({ aud: ['site2', 'site10'] })],
  ['an audience of null', () => withClaims({ aud: null })],
  ['a list as the payload', () => signed(HEADER, [CLAIMS])],
  ['text as the payload', () => signed(HEADER, '"pro"')],
  ['null as the payload', () => signed(HEADER, 'null')],
  ['a payload that is no JSON', () => signed(HEADER, '{"exp":')],
  [
    'a payload that is not UTF-8',
    () => `${head}.${Buffer.from([0xff, 0xfe]).toString('base64url')}.${signature}`,
  ],
  ['a header that is no JSON', () => `${encoded('{')}.${payload}.${signature}`],
  ['claims nested too deeply', () => withClaims(nested(50))],
  ['white space around it', () => ` ${signed(HEADER, CLAIMS)} `],
  ['base64 with padding', () => `${head}.${payload}.${signature}==`],
  ['100 kB', () => withClaims({ text: 'x'.repeat(100_000) })],
  ['100 kB of dots', () => '.'.repeat(100_000)],
  ['one character too many', () => 'x'.repeat(MAX_TOKEN + 1)],
];

describe('a token is refused, with a reason:', () => {
  test.each(INVALID)('%s', async (_name, token) => {
    expect(await verify(await token())).toEqual({ ok: false, reason: expect.stringMatching(/^\S.*\.$/) });
  });

  test('at least 40 cases', () => expect(INVALID.length).toBeGreaterThanOrEqual(40));
});
