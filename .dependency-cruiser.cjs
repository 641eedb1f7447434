/**
 * The map of the code, checked by `npm run architecture`. `test/architecture.test.ts` plants a violation of each rule,
 * because a checker that scans nothing reports success as well.
 */

/** A domain may use those before it. To tell a later one something, it announces an event. */
const DOMAINS = [
  'system',
  'events',
  'access',
  'users',
  'organizations',
  'members',
  'teams',
  'openapi-specs',
  'sso',
  'collections',
  'spaces',
  'permissions',
  'invites',
  'search-index',
  'link-index',
  'content-store',
  'revisions',
  'search',
  'content',
  'computed-pages',
  'change-requests',
  'imports',
  'links',
  'pdfs',
  'comments',
  'reviews',
  'visitors',
  'sites',
  'customization',
  'redirects',
  'publishing',
  'adaptive-schema',
  'custom-hostnames',
  'insights',
  'revalidation',
  'published-content',
  'integrations',
  'git-sync',
  'notifications',
  'webhooks',
  'translations',
];

/** The files of a slice: each may use what comes after it. Any other name is a verb, between operations and present. */
const ROLES_AFTER_VERBS = ['present', 'store', 'schema', 'policy', 'roles', 'limits'];

/** A store may be divided by table or concern: `reply-store.ts`. */
const fileOf = (role) => (role === 'store' ? '[/-]store\\.ts$' : `/${role}\\.ts$`);

/** A folder of the content engine may use those before it. `render/` has one folder for each output format. */
const ENGINE = [
  'map',
  'tree',
  'diff',
  'openapi',
  'expressions',
  'search',
  'highlight',
  'document',
  'markdown',
  'links',
  'computed',
  'html',
  'evaluation',
  'render',
  'merge',
  'folder',
];

/** npm packages that need neither Node nor a network, so that the content engine may use them. */
const PURE_LIBRARIES = ['entities', 'fractional-indexing', 'parse5', 'secure-json-parse', 'temml', 'yaml'];

/** Parts of Node that are functions of their arguments: hashing. */
const PURE_PARTS_OF_NODE = '^(node:)?crypto$';

const TESTS = '\\.test\\.ts$';
const REGISTRY = '^src/domains/index\\.ts$';

const npm = (names) => `(^|/)node_modules/(${names.join('|')})/`;
const anyOf = (names) => `(${names.join('|')})`;

/** Tests may reach anywhere; every rule is about what is shipped. */
const rule = (name, comment, from, to) => ({
  name,
  comment,
  severity: 'error',
  from: { ...from, pathNot: [TESTS, ...(from.pathNot ?? [])] },
  to,
});

/** One rule for each folder of a list: it must not import a folder behind it. */
const orderOf = (kind, parent, folders, advice) =>
  folders
    .slice(0, -1)
    .map((folder, index) =>
      rule(
        `${kind}-order-${folder}`,
        `Folders of ${parent} depend in one direction only, so that each can be read knowing those before it. ` +
          `${folder} comes before the folder that it imports here: ${advice}`,
        { path: `^src/${parent}/${folder}/` },
        { path: `^src/${parent}/${anyOf(folders.slice(index + 1))}/` },
      ),
    );

const domainOrder = orderOf(
  'domain',
  'domains',
  DOMAINS,
  'announce an event instead, or move the code to the later domain.',
);

const engineOrder = orderOf(
  'engine',
  'content-engine',
  ENGINE,
  'move the code to the later folder, or pass the result as an argument.',
);

const sliceOrder = ROLES_AFTER_VERBS.map((role, index) =>
  rule(
    `slice-order-${role}`,
    'Inside a slice: operations, verbs, present, store, schema, policy, roles, limits; each file uses only what is to its right, so ' +
      'that every slice reads the same way and rules do not end up in queries.',
    { path: `^src/domains/([^/]+).*${fileOf(role)}` },
    { path: '^src/domains/$1/', pathNot: ROLES_AFTER_VERBS.slice(index).map(fileOf) },
  ),
);

module.exports = {
  forbidden: [
    rule(
      'platform-knows-no-product',
      'The platform could serve another API. What it needs to know of the product is passed to it.',
      { path: '^src/platform/' },
      { path: '^src/', pathNot: ['^src/platform/'] },
    ),
    rule(
      'content-engine-is-pure',
      'Merge, diff and links are functions of their arguments: testable without a database, usable in a worker or a ' +
        'browser. A library must be node-free and named in PURE_LIBRARIES.',
      { path: '^src/content-engine/' },
      { pathNot: ['^src/content-engine/', npm(PURE_LIBRARIES), PURE_PARTS_OF_NODE] },
    ),
    rule(
      'engine-front-door',
      'A folder of the content engine is entered by its index.ts, which says what may be relied on; all else may ' +
        'change freely.',
      { path: '^src/(content-engine/(?:render/)?[^/]+|[^/]+)' },
      {
        path: '^src/content-engine/[^/]+/',
        pathNot: ['^src/$1/', '^src/content-engine/(render/)?[^/]+/index\\.ts$'],
      },
    ),
    rule(
      'engine-folder-is-listed',
      'A folder that is not in ENGINE has no place in the order, and would escape it.',
      {},
      { path: '^src/content-engine/[^/]+/', pathNot: [`^src/content-engine/${anyOf(ENGINE)}/`] },
    ),
    ...engineOrder,
    rule(
      'domain-front-door',
      'A domain enters another by its index.ts, which says what may be relied on; all else may change freely.',
      { path: '^src/domains/([^/]+)/' },
      { path: '^src/domains/[^/]+/', pathNot: ['^src/domains/$1/', '^src/domains/[^/]+/index\\.ts$'] },
    ),
    rule(
      'domain-is-listed',
      'A folder that is not in DOMAINS has no place in the order, and would escape it.',
      {},
      { path: '^src/domains/[^/]+/', pathNot: [`^src/domains/${anyOf(DOMAINS)}/`] },
    ),
    ...domainOrder,
    ...sliceOrder,
    rule(
      'slice-does-not-use-its-front-door',
      'index.ts is for others. From inside, it would hide which file is meant, and close a circle.',
      { path: '^src/domains/([^/]+)/', pathNot: ['^src/domains/[^/]+/index\\.ts$'] },
      { path: '^src/domains/$1/index\\.ts$' },
    ),
    rule(
      'operations-belong-to-the-registry',
      'Operations are called over HTTP. What two of them share is a verb or a query.',
      { pathNot: [REGISTRY] },
      { path: '^src/domains/.+/[^/]*operations\\.ts$' },
    ),
    rule(
      'published-pages-are-pure',
      'HTML is a function of its model: it can be cached by what the model was made of, and tested without a server.',
      { path: '^src/site/((layout|style|icons|locales)/|(model|customization)\\.ts$)' },
      {
        pathNot: [
          '^src/site/((layout|style|icons|locales)/|(model|customization|assets/catalog)\\.ts$)',
          '^src/content-engine/.+/index\\.ts$',
          '^src/platform/(http/pages/html|api/content-security-policy)\\.ts$',
          PURE_PARTS_OF_NODE,
        ],
      },
    ),
    rule(
      'kysely-only-in-stores',
      'Queries live in `store.ts` or, one file per table or concern, in `*-store.ts`. A policy holds SQL as text only.',
      { path: '^src/', pathNot: ['^src/platform/', '^src/(domains|site)/.+[/-]store\\.ts$'] },
      { path: npm(['kysely']) },
    ),
    rule(
      'fastify-only-in-http',
      'Handlers know requests as operations do: validated values. The web framework could be replaced in one folder.',
      { path: '^src/', pathNot: ['^src/platform/(http|openapi/reference)/'] },
      { path: npm(['fastify', '@fastify/[^/]+']) },
    ),
    rule(
      'production-imports-no-tests',
      'What is shipped must run without the tests, benchmarks and scripts, which are not.',
      { path: '^src/' },
      { path: ['^(test|bench|scripts)/', TESTS] },
    ),
    rule(
      'no-circle',
      'Files in a circle can only be understood together, and may see each other half-loaded.',
      {},
      { circular: true },
    ),
    rule(
      'no-unresolvable',
      'An import that the checker cannot follow escapes all other rules.',
      {},
      { couldNotResolve: true },
    ),
  ],
  options: {
    // The cruiser cannot use TypeScript 7. Without @swc/core it finds no file and reports success; with it, but another
    // parser named here, it overlooks `export type … from`.
    parser: 'swc',
    // Types couple as much as values do.
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};
