import { describe, expect, test } from 'vitest';
import { CONTRACT } from './contract.ts';
import { SCHEMA_CHANGES } from './exemptions.ts';
import { applyChange } from './json-schema.ts';
import { ajvWith, violationsOf } from './schemas.ts';

const TEAM_PATH = '/v1/orgs/{organizationId}/teams/{teamId}';
const now = '2026-11-15T12:00:00.000Z';
const team = {
  object: 'team',
  id: 't1',
  title: 'Writers',
  members: 2,
  spaces: 0,
  createdAt: now,
  permissions: { admin: true, view: true },
};

describe('violationsOf', () => {
  test('accepts conforming values, with additional fields', () => {
    expect(violationsOf('GET', TEAM_PATH, 200, { ...team, ours: 1 })).toEqual([]);
  });

  test('reports missing, mistyped and malformed members with their paths', () => {
    const { title: _, ...untitled } = team;
    expect(violationsOf('GET', TEAM_PATH, 200, untitled)).toEqual([
      "body must have required property 'title'",
    ]);
    expect(violationsOf('GET', TEAM_PATH, 200, { ...team, members: 1.5 })).toEqual([
      'body/members must be integer',
    ]);
    expect(violationsOf('GET', TEAM_PATH, 200, { ...team, object: 'user' })).toEqual([
      'body/object must be equal to one of the allowed values ["team"]',
    ]);
    expect(violationsOf('GET', TEAM_PATH, 200, { ...team, createdAt: 'today' })).toEqual([
      'body/createdAt must match format "date-time"',
    ]);
    const teams = { items: [team, { ...team, id: null }] };
    expect(violationsOf('GET', '/v1/orgs/{o}/teams', 200, teams)).toEqual(['body/items/1/id must be string']);
  });

  test('expects the status of the contract where the schema has two', () => {
    expect(violationsOf('DELETE', TEAM_PATH, 204, undefined)).toEqual([]);
    expect(violationsOf('DELETE', TEAM_PATH, 205, undefined)).toEqual(['status 205: expected 204']);
    expect(violationsOf('DELETE', '/v1/spaces/{id}', 205, '')).toEqual([]);
    expect(violationsOf('DELETE', '/v1/spaces/{id}', 204, '')).toEqual(['status 204: expected 205']);
    expect(violationsOf('PUT', '/v1/orgs/{o}/openapi/{slug}', 201, {})).toEqual(['status 201: expected 200']);
  });

  test('accepts no body with a status that has none', () => {
    expect(violationsOf('DELETE', TEAM_PATH, 204, {})).toEqual(['body: expected none with status 204']);
  });

  test('checks operations of the schema outside the contract, and ignores operations of our own', () => {
    expect(violationsOf('GET', '/v1/user', 200, {})).not.toEqual([]);
    expect(violationsOf('GET', '/v1/user', 204, undefined)).toEqual(['status 204: expected 200']);
    expect(violationsOf('POST', '/v1/user/tokens', 201, { anything: true })).toEqual([]);
  });

  test('compiles the schema of every response of the contract', () => {
    const bodiless = CONTRACT.filter(
      ({ method, path, status }) => violationsOf(method, path, status, 1).length === 0,
    );
    expect(bodiless.map(({ section }) => section)).toEqual(Array(4).fill('Translations'));
  });
});

const page = {
  id: 'p1',
  title: 'Page',
  kind: 'sheet',
  type: 'document',
  urls: { app: 'https://docs.example/p1' },
  slug: 'page',
  path: 'page',
  pages: [],
  layout: {
    width: 'default',
    cover: true,
    coverSize: 'full',
    title: true,
    description: true,
    tableOfContents: true,
    outline: true,
    pagination: true,
    metadata: true,
  },
};
const computed = { type: 'integration:x:y', integration: 'x', source: 'y', props: {} };
const saml = {
  object: 'saml-provider',
  id: 's1',
  label: 'Login',
  ssoURL: '',
  entityID: '',
  certificate: '',
  defaultRole: null,
  createdAt: now,
  status: 'pending',
  service: { acsURL: 'https://docs.example/acs', startURL: 'https://docs.example/start', entityID: 'octavo' },
  urls: { location: 'https://docs.example/s1' },
};
const columns = { object: 'block', type: 'columns', data: {}, nodes: [], isVoid: false };
const cell = (value: unknown) => ({ orderIndex: 'a', values: { c: value } });

const block = (type: string, rest: object) => ({ object: 'block', type, ...rest });
const updates = block('updates', { data: { format: 'full' }, nodes: [] });
const part = (name: string, nodes: unknown[]) => ({ object: 'fragment', fragment: name, type: name, nodes });
const expandable = (body: unknown[], data: object = {}) =>
  block('expandable', {
    data,
    isVoid: true,
    fragments: [part('expandable-title', [block('paragraph', { nodes: [] })]), part('expandable-body', body)],
  });
const inline = (type: string, rest: object) => ({ object: 'inline', type, ...rest });
const link = (nodes: unknown[]) => inline('link', { data: { ref: { kind: 'url', url: 'u' } }, nodes });
const button = (data: unknown) => inline('button', { data, isVoid: true });

/** Per exemption: the component that needs it, what it allows, and what it still rejects. */
const changedPage = { id: 'x', type: 'document', title: 'Page', path: 'page' };

const samples: Readonly<Record<string, readonly [component: string, passes: unknown, fails: unknown]>> = {
  IntegrationScope: ['IntegrationScope', 'space:views:read', 'space:views:write'],
  'RevisionPageDocument/allOf/1': [
    'RevisionPageDocument',
    page,
    { ...page, markdown: '', document: { object: 'document', data: {}, nodes: [] } },
  ],
  'RevisionPageDocument/allOf/3': [
    'RevisionPageDocument',
    { ...page, markdown: '', computed, computedSeed: 'x' },
    { ...page, markdown: '', computed: 1, computedSeed: 'x' },
  ],
  'RevisionReusableContent/allOf/1': [
    'RevisionReusableContent',
    { id: 'r', title: 'R', computed, computedSeed: 'x' },
    { id: 'r', title: 'R', document: 1 },
  ],
  PlainObject: ['PlainObject', { text: 'x', inner: { n: 1 } }, 'text'],
  'DocumentTableRecord/properties/values/additionalProperties': [
    'DocumentTableRecord',
    cell({ kind: 'url', url: 'https://docs.example' }),
    cell({ kind: 'nothing' }),
  ],
  DocumentBlocksTopLevels: [
    'JSONDocument',
    { object: 'document', data: {}, nodes: [columns] },
    { object: 'document', data: {}, nodes: [{ ...columns, type: 'rows' }] },
  ],
  DocumentBlock: ['DocumentBlock', updates, { ...updates, type: 'rows' }],
  'DocumentBlockExpandable/properties/data': [
    'DocumentBlockExpandable',
    expandable([block('paragraph', { nodes: [] })], { defaultExpanded: true }),
    expandable([block('paragraph', { nodes: [] })], { open: true }),
  ],
  'DocumentInlineButton/properties/data/allOf/1': [
    'DocumentInlineButton',
    button({ label: 'Ask', kind: 'primary', action: { action: 'ask' } }),
    button({ label: 'Ask' }),
  ],
  'DocumentInlineLink/properties/nodes/items': [
    'DocumentInlineLink',
    link([inline('icon', { data: { icon: 'x' }, isVoid: true })]),
    link([{ object: 'leaf' }]),
  ],
  'RevisionSemanticChangePageEdited/properties/attributes': [
    'RevisionSemanticChangePageEdited',
    { type: 'page_edited', page: changedPage, attributes: { title: { before: 'a', after: 'b' } } },
    { type: 'page_edited', page: changedPage, attributes: 'none' },
  ],
  'OrganizationSAMLProvider/properties/ssoURL': [
    'OrganizationSAMLProvider',
    saml,
    { ...saml, ssoURL: 'no address' },
  ],
  'OpenAPISpecContent/properties/filesystem': [
    'OpenAPISpecContent',
    { filesystem: [{ isEntrypoint: true }], url: 'https://example.org/' },
    { filesystem: 'none', url: 'https://example.org/' },
  ],
};

describe('exemptions', () => {
  const exempted = ajvWith(SCHEMA_CHANGES);

  test.each(SCHEMA_CHANGES)('$at is needed, and no wider than needed', (exemption) => {
    const [component, passes, fails] = samples[exemption.at] ?? ['', undefined, undefined];
    const withoutExemption = ajvWith(SCHEMA_CHANGES.filter((other) => other !== exemption));
    expect(withoutExemption.validate(component, passes)).toBe(false);
    expect([exempted.validate(component, passes), exempted.errors]).toEqual([true, null]);
    expect(exempted.validate(component, fails)).toBe(false);
  });

  test('of a path that does not exist are an error', () => {
    const [first] = SCHEMA_CHANGES;
    if (!first) throw new Error('no exemptions');
    expect(() => applyChange({}, first)).toThrow(first.at);
    const invalid = { ...first, at: 'PlainObject', change: 'anyOf' } as const;
    expect(() => applyChange({ PlainObject: {} }, invalid)).toThrow('no oneOf');
  });
});
