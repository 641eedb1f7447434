import Type, { type Static } from 'typebox';
import { listQuery, named, nullable, Timestamp, Uri } from '../../platform/api/schema.ts';

const RemoteUrl = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'URL of the repository (https), with or without a user name and password',
  examples: ['https://git.example.com/acme/docs.git'],
});

const Ref = Type.String({
  maxLength: 255,
  description: 'The branch: `refs/heads/<name>`',
  examples: ['refs/heads/main'],
});

const Provider = Type.Enum(['github', 'gitlab'], { description: 'The kind of host' });

/** A directory of the repository: names and slashes. */
const Directory = Type.String({
  maxLength: 1024,
  description: 'The directory of the repository that contains the content; default: all of it',
  examples: ['docs'],
});

const WebUrl = (description: string) =>
  Type.Optional(Type.String({ format: 'uri', maxLength: 2048, pattern: '^https?://', description }));

const remoteFields = {
  url: RemoteUrl,
  ref: Ref,
  repoCacheID: Type.Optional(
    Type.String({ maxLength: 256, description: 'Operations with the same id share a local copy' }),
  ),
  repoTreeURL: WebUrl('Where the files of the branch are shown; paths are appended'),
  repoCommitURL: WebUrl('Where commits are shown; their ids are appended'),
  repoProjectDirectory: Type.Optional(Directory),
  timestamp: Type.Optional({
    ...Timestamp,
    description:
      'Orders the operations of a space: one that is older than the last one that was done is skipped. Default: now',
  }),
  gitInfo: Type.Optional(
    Type.Object({
      provider: Type.Optional(Provider),
      url: WebUrl('Where the files of the branch are shown'),
    }),
  ),
};

export const GitImport = Type.Object({
  ...remoteFields,
  force: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'The repository wins: changes of the space since the last synchronization are replaced',
    }),
  ),
  standalone: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Makes a revision without changing the content of the space',
    }),
  ),
});

export const GitExport = Type.Object({
  ...remoteFields,
  commitMessage: Type.String({ minLength: 1, maxLength: 16_384 }),
  force: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'The space wins: commits that were not imported are kept in the history, but their changes to the same files are replaced',
    }),
  ),
});

export type GitImport = Static<typeof GitImport>;
export type GitExport = Static<typeof GitExport>;

const LogEntry = Type.Object({
  level: Type.Enum(['info', 'warning']),
  message: Type.String(),
  path: Type.Optional(Type.String({ description: 'File of the repository' })),
  line: Type.Optional(Type.Integer()),
});
export type LogEntry = Static<typeof LogEntry>;

const State = Type.Enum(['queued', 'running', 'success', 'failure', 'skipped']);
const Direction = Type.Enum(['import', 'export']);

export const GitOperation = named('GitOperation', {
  object: Type.Literal('git-operation'),
  id: Type.String(),
  state: State,
  direction: Direction,
  cause: Type.Enum(['api', 'push', 'poll', 'content', 'pull-request'], {
    description:
      'What started it: the API, a push to the repository, a poll of it, new content of the space, a pull request',
  }),
  stage: Type.Optional(Type.Enum(['repo_fetch', 'config_check', 'content_process', 'finalize'])),
  dispatchedTasks: Type.Integer({ description: 'Files to process' }),
  completedTasks: Type.Integer({ description: 'Files that were processed' }),
  url: Uri,
  ref: Type.String(),
  directory: Type.Optional(Type.String()),
  commit: Type.Optional(Type.String()),
  revision: Type.Optional(Type.String()),
  changeRequest: Type.Optional(
    Type.String({ description: 'Contains the changes of the repository that conflict with the space' }),
  ),
  log: Type.Optional(
    Type.Array(LogEntry, { description: 'What was changed or skipped, by file; at most 1,000 entries' }),
  ),
  error: Type.Optional(Type.String()),
  createdAt: Timestamp,
  startedAt: Type.Optional(Timestamp),
  updatedAt: Type.Optional(Timestamp),
  completedAt: Type.Optional(Timestamp),
  urls: Type.Object({ location: Uri }),
});

export const ListGitOperations = Type.Object({
  ...listQuery,
  state: Type.Optional({ ...State, description: 'Only operations in this state' }),
  direction: Type.Optional({ ...Direction, description: 'Only operations in this direction' }),
});

const Credential = Type.Object({
  username: Type.Optional(
    Type.String({ maxLength: 256, description: 'Default: `git`. Most hosts ignore it for tokens.' }),
  ),
  password: Type.String({
    minLength: 1,
    maxLength: 4096,
    description: 'A password, access token or deploy token',
  }),
});

const SyncDirection = Type.Enum(['both', 'import', 'export']);

export const PutGitSync = Type.Object({
  url: RemoteUrl,
  ref: Ref,
  directory: Type.Optional(Directory),
  credential: Type.Optional(
    nullable({
      ...Credential,
      description:
        'Stored encrypted, and never answered. Omitted: unchanged, if the URL is the same; null: none.',
    }),
  ),
  direction: Type.Optional({
    ...SyncDirection,
    default: 'both',
    description: '`import`: pushes are imported. `export`: new content is exported.',
  }),
  precedence: Type.Optional(
    Type.Enum(['repository', 'space'], {
      default: 'repository',
      description: 'Whose content replaces the other at the first synchronization',
    }),
  ),
  provider: Type.Optional(Provider),
  repoTreeURL: WebUrl('Where the files of the branch are shown; paths are appended'),
  repoCommitURL: WebUrl('Where commits are shown; their ids are appended'),
  pullRequests: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Pull requests of the same repository become change requests. The webhook must announce them, too.',
    }),
  ),
});
export type PutGitSync = Static<typeof PutGitSync>;

export const GitSync = named('GitSync', {
  object: Type.Literal('git-sync'),
  url: Uri,
  ref: Type.String(),
  directory: Type.Optional(Type.String()),
  hasCredential: Type.Boolean(),
  direction: SyncDirection,
  provider: Type.Optional(Provider),
  repoTreeURL: Type.Optional(Uri),
  repoCommitURL: Type.Optional(Uri),
  pullRequests: Type.Boolean(),
  state: Type.Enum(['waiting', 'synchronizing', 'synchronized', 'conflict', 'failed'], {
    description:
      'Of the last operation. `conflict`: changes of the repository wait in a change request. `waiting`: nothing was done yet.',
  }),
  error: Type.Optional(Type.String()),
  lastOperation: Type.Optional(GitOperation),
  webhook: Type.Object({
    url: Uri,
    secret: Type.Optional(
      Type.String({
        description: 'Enter it at the host of the repository. Only for tokens with the scope `space:write`',
      }),
    ),
    seenAt: Type.Optional({ ...Timestamp, description: 'Until a webhook calls, the repository is polled' }),
  }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
