import { ALLOCATION_LIMIT, STREAMED_BLOB } from './limits.ts';

export type Setting = readonly [name: string, value: string];

/** Where git is looked for: not in the PATH of the server, which may have relative or writable folders. */
const SEARCH_PATH =
  '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin:/usr/local/sbin:/usr/sbin:/sbin:/run/current-system/sw/bin';

const SETTINGS: readonly Setting[] = [
  // Nothing is executed.
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  // Every received object is checked.
  ['transfer.fsckObjects', 'true'],
  // Old trees of real repositories have such modes. They are harmless, since nothing is checked out.
  ['fetch.fsck.zeroPaddedFilemode', 'ignore'],
  ['core.protectHFS', 'true'],
  ['core.protectNTFS', 'true'],
  // Nothing but what was asked for.
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  ['push.recurseSubmodules', 'no'],
  ['push.followTags', 'false'],
  ['push.gpgSign', 'false'],
  ['transfer.bundleURI', 'false'],
  // The checked addresses, and no other server.
  ['http.followRedirects', 'false'],
  ['http.proxy', ''],
  ['http.sslVerify', 'true'],
  ['credential.helper', ''],
  // Objects are always in packs: `repack` bounds their number.
  ['transfer.unpackLimit', '1'],
  ['fastimport.unpackLimit', '1'],
  ['repack.writeBitmaps', 'false'],
  ['core.commitGraph', 'false'],
  // A copy can be fetched again.
  ['core.fsync', 'none'],
  // Memory.
  ['core.bigFileThreshold', STREAMED_BLOB],
  ['core.packedGitLimit', '256m'],
  ['core.packedGitWindowSize', '32m'],
  ['core.deltaBaseCacheLimit', '32m'],
  ['pack.threads', '1'],
  ['pack.windowMemory', '64m'],
  ['pack.deltaCacheSize', '32m'],
];

export interface EnvironmentOptions {
  readonly gitDirectory: string;
  /** An empty folder. */
  readonly home: string;
  /** `https` or `http`; none for work without a network. */
  readonly protocol?: string;
  readonly settings?: readonly Setting[];
  readonly searchPath?: string;
}

/** Everything that git reads from its surroundings: nothing of the server's environment, and no configuration file. */
export function environmentOf({
  gitDirectory,
  home,
  protocol = '',
  settings = [],
  searchPath = SEARCH_PATH,
}: EnvironmentOptions): Record<string, string> {
  const environment: Record<string, string> = {
    PATH: searchPath,
    HOME: home,
    LC_ALL: 'C',
    TZ: 'UTC',
    GIT_DIR: gitDirectory,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    GIT_EDITOR: 'false',
    GIT_PAGER: 'cat',
    GIT_ALLOW_PROTOCOL: protocol || 'none',
    GIT_ALLOC_LIMIT: ALLOCATION_LIMIT,
  };
  const all = [...SETTINGS, ...settings];
  environment['GIT_CONFIG_COUNT'] = String(all.length);
  all.forEach(([name, value], index) => {
    environment[`GIT_CONFIG_KEY_${index}`] = name;
    environment[`GIT_CONFIG_VALUE_${index}`] = value;
  });
  return environment;
}
