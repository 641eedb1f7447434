import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../src/domains/index.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CONFIG = join(ROOT, '.dependency-cruiser.cjs');
const CRUISER = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');

interface Cruise {
  readonly modules: readonly { readonly source: string; readonly dependencies: readonly unknown[] }[];
  readonly summary: {
    readonly violations: readonly {
      readonly rule: { readonly name: string };
      readonly from: string;
      readonly to: string;
    }[];
  };
}

function cruise(folder: string): Cruise {
  const args = [CRUISER, '--config', CONFIG, '--output-type', 'json', 'src'];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (!stdout.startsWith('{')) throw new Error(stderr || stdout);
  return JSON.parse(stdout) as Cruise;
}

const violationsOf = ({ summary }: Cruise) =>
  summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);

describe('the imports of src', () => {
  const found = cruise(ROOT);

  test('are scanned at all, so that an empty result means something', () => {
    const seen = new Map(found.modules.map(({ source, dependencies }) => [source, dependencies.length]));
    const isOverlooked = (file: string) =>
      seen.get(file) === undefined || (hasImports(file) && seen.get(file) === 0);
    expect(sources().filter(isOverlooked)).toEqual([]);
    expect(sources().length).toBeGreaterThan(60);
  });

  test('violate no rule', () => {
    expect(violationsOf(found)).toEqual([]);
  });
});

const asValue = (path: string) => `import '${path}';`;
const asType = (path: string) => `import type { A } from '${path}';`;
const asExport = (path: string) => `export type { A } from '${path}';`;
const asDynamic = (path: string) => `await import('${path}');`;

type Planted = readonly [rule: string, from: string, to: string, how?: (path: string) => string];

/** Each violates one rule. */
const VIOLATIONS: readonly Planted[] = [
  ['platform-knows-no-product', 'platform/kernel.ts', 'domains/users/index.ts'],
  ['platform-knows-no-product', 'platform/kernel.ts', 'commands/server/serve.ts', asType],
  ['platform-knows-no-product', 'platform/kernel.ts', 'app.ts', asDynamic],
  ['content-engine-is-pure', 'content-engine/merge.ts', 'platform/api/errors.ts'],
  ['content-engine-is-pure', 'content-engine/merge.ts', 'node:fs'],
  ['content-engine-is-pure', 'content-engine/merge.ts', 'pino'],
  ['engine-front-door', 'content-engine/merge/content.ts', 'content-engine/diff/records/moved.ts'],
  ['engine-front-door', 'content-engine/render/html/page.ts', 'content-engine/render/typst/book.ts'],
  ['engine-front-door', 'site/page.ts', 'content-engine/render/html/serialise.ts'],
  ['engine-front-door', 'content-engine/tasks.ts', 'content-engine/merge/body/align.ts', asType],
  ['engine-front-door', 'domains/content/edit.ts', 'content-engine/tree/lookup.ts'],
  ['engine-front-door', 'app.ts', 'content-engine/tree/lookup.ts', asExport],
  ['engine-folder-is-listed', 'content-engine/tasks.ts', 'content-engine/layout/index.ts'],
  ['engine-order-document', 'content-engine/document/nodes.ts', 'content-engine/markdown/index.ts', asType],
  ['domain-front-door', 'domains/teams/operations.ts', 'domains/users/store.ts'],
  ['domain-is-listed', 'domains/index.ts', 'domains/billing/jobs.ts'],
  ['domain-order-members', 'domains/members/join.ts', 'domains/teams/index.ts', asExport],
  ['slice-order-present', 'domains/spaces/present.ts', 'domains/spaces/move.ts'],
  ['slice-order-policy', 'domains/comments/policy.ts', 'domains/comments/store.ts'],
  ['slice-order-roles', 'domains/access/roles.ts', 'domains/access/policy.ts'],
  ['slice-order-store', 'domains/teams/store.ts', 'domains/teams/present.ts'],
  ['slice-order-store', 'domains/sites/section-store.ts', 'domains/sites/present.ts'],
  ['slice-order-schema', 'domains/collections/schema.ts', 'domains/collections/store.ts', asType],
  ['slice-order-limits', 'domains/insights/limits.ts', 'domains/insights/schema.ts', asType],
  ['slice-does-not-use-its-front-door', 'domains/teams/operations.ts', 'domains/teams/index.ts'],
  ['operations-belong-to-the-registry', 'app.ts', 'domains/teams/operations.ts'],
  ['published-pages-are-pure', 'site/layout/page.ts', 'domains/sites/index.ts', asType],
  ['published-pages-are-pure', 'site/style/inputs.ts', 'node:fs'],
  ['published-pages-are-pure', 'site/model.ts', 'platform/http/server.ts'],
  ['kysely-only-in-stores', 'domains/teams/join.ts', 'kysely', asType],
  ['kysely-only-in-stores', 'domains/users/policy.ts', 'kysely'],
  ['fastify-only-in-http', 'platform/mail.ts', 'fastify', asExport],
  ['fastify-only-in-http', 'app.ts', '@fastify/compress'],
  ['production-imports-no-tests', 'domains/users/store.ts', '../test/database.ts'],
  ['production-imports-no-tests', 'domains/users/join.ts', 'domains/users/store.test.ts'],
  ['no-circle', 'platform/access/cache.ts', 'platform/api/context.ts', asType],
  ['no-unresolvable', 'platform/kernel.ts', 'not-installed'],
];

/** None of these violates a rule. */
const ALLOWED: readonly (readonly [from: string, to: string])[] = [
  ['app.ts', 'platform/http/server.ts'],
  ['content-engine/merge.ts', 'content-engine/diff.ts'],
  ['content-engine/merge/content.ts', 'content-engine/merge/body/align.ts'],
  ['content-engine/merge/content.ts', 'content-engine/diff/index.ts'],
  ['content-engine/tasks.ts', 'content-engine/merge/index.ts'],
  ['domains/content/edit.ts', 'content-engine/tree/index.ts'],
  ['domains/pdfs/write.ts', 'content-engine/render/typst/index.ts'],
  ['site/page.ts', 'content-engine/render/html/index.ts'],
  ['domains/index.ts', 'domains/users/operations.ts'],
  ['domains/sites/sections/operations.ts', 'domains/sites/store.ts'],
  ['domains/teams/index.ts', 'domains/teams/store.ts'],
  ['domains/teams/operations.ts', 'domains/teams/join.ts'],
  ['domains/teams/operations.ts', 'domains/teams/schema.ts'],
  ['domains/teams/join.ts', 'domains/teams/leave.ts'],
  ['domains/teams/join.ts', 'domains/members/index.ts'],
  ['domains/teams/leave.ts', 'domains/teams/policy.ts'],
  ['domains/teams/present.ts', 'domains/teams/policy.ts'],
  ['domains/users/store.ts', 'domains/users/policy.ts'],
  ['domains/access/store.ts', 'domains/access/roles.ts'],
  ['domains/users/store.ts', 'domains/users/schema.ts'],
  ['domains/users/store.ts', 'kysely'],
  ['domains/users/token-store.ts', 'kysely'],
  ['domains/users/token-store.ts', 'domains/users/store.ts'],
  ['domains/users/store.test.ts', 'domains/teams/store.ts'],
  ['domains/users/store.test.ts', '../test/database.ts'],
  // Closes the cycle above, which is reported once.
  ['platform/api/context.ts', 'platform/access/cache.ts'],
  ['site/layout/page.ts', 'site/style/inputs.ts'],
  ['site/serve.ts', 'site/layout/page.ts'],
  ['site/layout/markup.ts', 'platform/http/pages/html.ts'],
  ['platform/database/connection.ts', 'kysely'],
  ['platform/http/server.ts', 'fastify'],
  ['platform/openapi/reference/page.ts', 'fastify'],
];

const { forbidden } = createRequire(import.meta.url)(CONFIG) as { forbidden: readonly { name: string }[] };
const rules = forbidden.map(({ name }) => name);

/** In order; the last folder has no rule. */
const domains = [...rules.flatMap((rule) => /^domain-order-(.*)/.exec(rule)?.[1] ?? []), 'translations'];

/** Every other folder imports the last one. Two imports of a neighbour are planted above. */
const ordersOf = (kind: string, parent: string, last: string): readonly Planted[] =>
  rules
    .filter((rule) => rule.startsWith(`${kind}-order-`) && !VIOLATIONS.some(([planted]) => planted === rule))
    .map((rule) => [
      rule,
      `${parent}/${rule.slice(`${kind}-order-`.length)}/join.ts`,
      `${parent}/${last}/index.ts`,
    ]);

const ORDERS: readonly Planted[] = [
  ...ordersOf('domain', 'domains', 'translations'),
  ...ordersOf('engine', 'content-engine', 'folder'),
];

const isPackage = (to: string) => !to.endsWith('.ts');

function specifierOf(from: string, to: string): string {
  if (isPackage(to)) return to;
  const path = relative(dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
}

/** The module path as the checker reports it. */
function moduleOf(to: string): string {
  if (!isPackage(to)) return join('src', to);
  const isInstalled = !to.startsWith('node:') && to !== 'not-installed';
  return isInstalled ? `node_modules/${to}/index.js` : to.replace('node:', '');
}

describe('the import rules', () => {
  let folder: string;

  function write(file: string, text: string): void {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }

  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'octavo-architecture-')));
    for (const name of ['kysely', 'fastify', '@fastify/compress', 'pino']) {
      write(`node_modules/${name}/package.json`, JSON.stringify({ name, main: 'index.js' }));
      write(`node_modules/${name}/index.js`, '');
    }
    const texts = new Map<string, string>();
    const allowed = ALLOWED.map(([from, to]): Planted => ['', from, to]);
    for (const [, from, to, how = asValue] of [...VIOLATIONS, ...ORDERS, ...allowed]) {
      texts.set(from, `${texts.get(from) ?? ''}${how(specifierOf(from, to))}\n`);
      if (!isPackage(to)) texts.set(to, texts.get(to) ?? '');
    }
    for (const [file, text] of texts) write(join('src', file), `${text}export type A = 1;\n`);
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  test('each find their planted violations, and nothing else', () => {
    const planted = [...VIOLATIONS, ...ORDERS].map(
      ([rule, from, to]) => `${rule}: src/${from} → ${moduleOf(to)}`,
    );
    expect(violationsOf(cruise(folder)).toSorted()).toEqual(planted.toSorted());
  });

  test('each have a planted violation', () => {
    const planted = new Set([...VIOLATIONS, ...ORDERS].map(([rule]) => rule));
    expect(rules.filter((rule) => !planted.has(rule))).toEqual([]);
  });
});

/** The folder (or file) of src that writes a table. Others may read it. */
const OWNERS: Readonly<Record<string, string | readonly string[]>> = {
  idempotency_keys: 'platform',
  link_indexes: 'domains/link-index',
  link_entries: 'domains/link-index',
  link_targets: 'domains/link-index',
  links: 'domains/link-index',
  events: 'domains/events',
  event_readers: 'domains/events',
  installation: 'installation.ts',
  users: 'domains/users',
  tokens: 'domains/users',
  organizations: 'domains/organizations',
  members: 'domains/members',
  teams: 'domains/teams',
  team_members: 'domains/teams',
  invites: 'domains/invites',
  invitation_mails: 'domains/invites',
  grants: 'domains/access',
  collections: 'domains/collections',
  // One statement inserts a revision and makes it current. One statement inserts a space and its first revision.
  spaces: ['domains/spaces', 'domains/revisions/store.ts'],
  revisions: ['domains/revisions', 'domains/spaces/store.ts'],
  // Append-only rows: every counting slice adds its own.
  space_tallies: ['domains/spaces', 'domains/change-requests', 'domains/comments'],
  content_objects: ['domains/content-store', 'domains/content/garbage-collection'],
  former_slugs: 'domains/revisions',
  stored_files: 'domains/content',
  storage_tallies: 'domains/content',
  uploads: 'domains/content',
  change_requests: 'domains/change-requests',
  change_request_numbers: 'domains/change-requests',
  change_request_contributors: 'domains/change-requests',
  change_request_reviewers: 'domains/change-requests',
  change_request_conflicts: 'domains/change-requests',
  change_request_reviews: 'domains/reviews',
  sites: 'domains/sites',
  site_sections: 'domains/sites/structure',
  site_section_groups: 'domains/sites/structure',
  site_spaces: 'domains/sites/structure',
  share_links: 'domains/sites/share-links',
  import_runs: 'domains/imports',
  openapi_specs: 'domains/openapi-specs',
  openapi_spec_versions: 'domains/openapi-specs',
  integrations: 'domains/integrations',
  integration_images: 'domains/integrations',
  integration_installations: 'domains/integrations/installations',
  integration_space_installations: 'domains/integrations/installations',
  integration_site_installations: 'domains/integrations/installations',
  integration_events: 'domains/integrations/events',
  openapi_spec_parts: 'domains/openapi-specs',
  git_operations: 'domains/git-sync',
  git_states: 'domains/git-sync',
  git_connections: 'domains/git-sync',
  git_pull_requests: 'domains/git-sync',
  pdfs: 'domains/pdfs',
  comments: 'domains/comments',
  comment_reactions: 'domains/comments',
  comment_counts: 'domains/comments',
  reply_counts: 'domains/comments',
  site_customizations: 'domains/customization',
  site_space_customizations: 'domains/customization',
  site_redirects: 'domains/redirects',
  site_publishing_auth: 'domains/publishing',
  site_adaptive_schemas: 'domains/adaptive-schema',
  site_revalidations: 'domains/revalidation',
  notifications: 'domains/notifications',
  notification_settings: 'domains/notifications',
  webhooks: 'domains/webhooks',
  webhook_deliveries: 'domains/webhooks',
  webhook_lanes: 'domains/webhooks',
  custom_hostnames: 'domains/custom-hostnames',
  custom_hostname_checks: 'domains/custom-hostnames',
  site_page_views: 'domains/insights',
  site_searches: 'domains/insights',
  site_feedback: 'domains/insights',
  search_pages: 'domains/search-index',
  search_sections: 'domains/search-index',
  search_segments: 'domains/search-index',
  search_blocks: 'domains/search-index',
};

/** Path segments that name a domain by another word than its folder. */
const DOMAINS_BY_WORD: Readonly<Record<string, string>> = {
  git: 'git-sync',
  orgs: 'organizations',
  org: 'organizations',
  import: 'imports',
  'email-domains': 'organizations',
  user: 'users',
  join: 'members',
  ping: 'members',
  'link-invites': 'invites',
  storage: 'content',
  documents: 'content',
  pdf: 'pdfs',
  commenters: 'comments',
  backlinks: 'links',
  redirect: 'redirects',
  subdomains: 'custom-hostnames',
  openapi: 'openapi-specs',
  installations: 'integrations',
  urls: 'published-content',
  published: 'published-content',
  'notification-settings': 'notifications',
};

/** They change a resource that their path does not name: decision 8. */
const IN_A_LATER_DOMAIN: Readonly<Record<string, string>> = {
  createOrganization: 'members',
  deleteCollectionById: 'spaces',
  moveCollection: 'spaces',
  transferCollection: 'spaces',
  duplicateSpace: 'content',
  // The content of a specification is no content of a space.
  getLatestOpenAPISpecVersionContent: 'openapi-specs',
  getOpenAPISpecVersionContentById: 'openapi-specs',
};

test('an operation is in the folder of the latest domain that its path names', () => {
  const expected = operations.map(({ id, path }) => {
    const words = new Set(path.split('/').map((word) => DOMAINS_BY_WORD[word] ?? word));
    const named = domains.findLast((domain) => words.has(domain)) ?? 'system';
    return `${id}: ${IN_A_LATER_DOMAIN[id] ?? named}`;
  });
  expect(operations.map(({ id, folder }) => `${id}: ${folder}`)).toEqual(expected);
});

/** `normalize.ts`, single characters, titles of limited length, and names that were checked for marks. */
const NORMALISING = [
  'src/content-engine/render/typst/math/structures.ts',
  'src/content-engine/search/words/fold.ts',
  'src/platform/social-image/legible-parts.ts',
  'src/platform/zip/open-zip.ts',
];

describe('rules beyond imports', () => {
  test('only config.ts reads the environment', () => {
    const readers = filesWith(
      /\bprocess\s*\??\.?\s*(\.\s*env\b|\[)|\{[^}]*\benv\b[^}]*\}\s*(=\s*process\b|from\s+'(node:)?process')/,
    );
    expect(readers.filter((file) => file !== 'src/config.ts')).toEqual([]);
  });

  test('no module holds a cache: app.ts builds them, so that two apps in one process share none', () => {
    expect(filesWith(/^(export )?(const|let) \w+(: [^=]+)? = new LRUCache\b/m)).toEqual([]);
  });

  test('text of users is normalised in one place, which bounds the time', () => {
    const files = filesWith(/\.normalize\(\s*'NF/);
    expect(files.toSorted()).toEqual(NORMALISING);
  });

  test('only commands print', () => {
    const printers = filesWith(/\bconsole\s*(\?\.|\.|\[)/);
    expect(printers.filter((file) => file !== 'src/main.ts' && !file.startsWith('src/commands/'))).toEqual(
      [],
    );
  });

  test('no type is imported inline, where the checker of imports does not find it', () => {
    expect(filesWith(/\btypeof import\(|(?<!await )\bimport\(\s*['"][^'"]+['"]\s*\)\s*\.(?!then\b)/)).toEqual(
      [],
    );
  });

  test('only the owner of a table writes it', () => {
    const problems = sources().flatMap((file) =>
      tablesWrittenIn(codeOf(file)).flatMap((table) => {
        const owner = OWNERS[table];
        if (!owner)
          return [`${file} writes ${table}: say who owns it, in OWNERS of test/architecture.test.ts`];
        return [owner].flat().some((each) => file.startsWith(`src/${each}`))
          ? []
          : [`${file} writes ${table}, which belongs to src/${String(owner)}`];
      }),
    );
    expect(problems).toEqual([]);
  });

  test('writes to tables are detected in every notation', () => {
    const text = `
      db.insertInto('a'); trx . deleteFrom( "b as x" ); db.updateTable(\`c\`); db.mergeInto('d');
      sql\`INSERT INTO "e" (x) values (1) on conflict do update set x = 2\`; sql\`update f as t set x = 1\`;
      sql\`with gone as (delete from only g returning *) select * from h for update\`; sql\`insert into \${table}\``;
    expect(tablesWrittenIn(text)).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', '${']);
  });

  test('no file exceeds the length limit', () => {
    const long = [...typeScriptIn('src'), ...typeScriptIn('test')].filter((file) => {
      const lines = readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1;
      return lines > (isTest(file) ? 600 : 400) && file !== GENERATED;
    });
    expect(long).toEqual([]);
  });

  test('no test has a limit of less than two minutes: limits are for what hangs, not for a slow machine', () => {
    const limits = /^\s*\}, ([\d_]+)\);$|\btimeout: ([\d_]+)\b/gm;
    const short = [...typeScriptIn('src'), ...typeScriptIn('test')].filter(isTest).flatMap((file) =>
      [...codeOf(file).matchAll(limits)]
        .map(([, argument, option]) => argument ?? option ?? '')
        .filter((limit) => Number(limit.replaceAll('_', '')) < 120_000)
        .map((limit) => `${file}: ${limit}`),
    );
    expect(short).toEqual([]);
  });
});

const GENERATED = 'src/platform/database/tables.ts';

const isTest = (file: string) => file.startsWith('test/') || file.endsWith('.test.ts');

const typeScriptIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${folder}/${file}`);

/** The files that are shipped. */
function sources(): string[] {
  return typeScriptIn('src').filter((file) => !isTest(file));
}

/** The text of a file without comments, which may mention what code must not do. */
const codeOf = (file: string): string =>
  readFileSync(join(ROOT, file), 'utf8').replaceAll(/^\s*\/\*[^]*?\*\/|(?<=^|\s)\/\/.*/gm, '');

const hasImports = (file: string): boolean => /^import /m.test(codeOf(file));

const filesWith = (pattern: RegExp): string[] => sources().filter((file) => pattern.test(codeOf(file)));

const WRITES = [
  /\b(?:insertInto|replaceInto|updateTable|deleteFrom|mergeInto)\(\s*['"`](\w+)/,
  /\b(?:insert\s+into|merge\s+into|truncate\s+table|delete\s+from)\s+(?:only\s+)?"?([\w.]+|\$\{)/,
  /\bupdate\s+(?:only\s+)?"?([\w.]+|\$\{\w+\})"?(?:\s+(?:as\s+)?\w+)?\s+set\b/,
];

function tablesWrittenIn(code: string): string[] {
  const pattern = new RegExp(WRITES.map(({ source }) => source).join('|'), 'gi');
  const tables = [...code.matchAll(pattern)].map(
    ([, ...names]) => names.find((name) => name !== undefined) ?? '',
  );
  return [...new Set(tables)];
}
