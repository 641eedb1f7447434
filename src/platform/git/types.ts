/** A remote repository. Its URL has no credentials. */
export interface Remote {
  readonly url: string;
  readonly credential?: Credential;
}

/** Credentials for HTTP basic authentication. */
export interface Credential {
  readonly username: string;
  readonly password: string;
}

export interface Signature {
  readonly name: string;
  readonly email: string;
}

export interface Commit {
  readonly oid: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly author: Signature;
  readonly committer: Signature;
}

/** A file of a commit. */
export interface TreeEntry {
  /** The path from the directory that was listed, with slashes. */
  readonly path: string;
  /** The kind of the file itself; `link` and `submodule` are never followed. */
  readonly kind: 'file' | 'executable' | 'link' | 'submodule';
  /** Object id of the blob; of a submodule: of its commit. */
  readonly oid: string;
  /** The size in bytes; 0 for submodules. */
  readonly size: number;
  /** The path is not UTF-8. Here it has U+FFFD instead, so that it can be shown but not used. */
  readonly isPathInvalid?: true;
}

/** A change that a new commit makes. Paths are from the root of the repository. */
export type FileChange =
  | {
      readonly path: string;
      readonly bytes: AsyncIterable<Uint8Array> | Uint8Array;
      readonly size: number;
      readonly executable?: boolean;
    }
  | { readonly path: string; readonly isDeleted: true };

export interface NewCommit {
  /** Undefined: the first commit of the branch. */
  readonly parent: string | undefined;
  readonly changes: AsyncIterable<FileChange> | Iterable<FileChange>;
  readonly message: string;
  readonly author: Signature;
  readonly committer: Signature;
  readonly time: Date;
}

/** A bare local copy of a remote repository, with the last commits only. Nothing is ever checked out. */
export interface Repository {
  /** Fetches the last commit of a branch (`refs/heads/…`). Undefined: the remote has no such branch, or is empty. */
  fetch(ref: string): Promise<string | undefined>;
  readCommit(oid: string): Promise<Commit>;
  /** Files of a commit below a directory ('' : all). Undefined: the directory is not there. */
  listFiles(commit: string, directory: string): Promise<readonly TreeEntry[] | undefined>;
  /** Files of a directory itself that have these names. */
  findFiles(commit: string, directory: string, names: readonly string[]): Promise<readonly TreeEntry[]>;
  /** The contents of blobs, in the order of the ids. */
  readBlobs(oids: readonly string[]): AsyncIterable<Uint8Array>;
  /** The object id that this content would have. */
  blobId(bytes: Uint8Array): string;
  /** Returns the id of the new commit. It is not pushed. */
  addCommit(commit: NewCommit): Promise<string>;
  /** False: the remote has moved on, and nothing was pushed. */
  push(commit: string, ref: string): Promise<boolean>;
}

export interface Git {
  /** Throws where the git program is not installed, or too old. */
  requireProgram(): Promise<void>;
  /** Removes cached copies that were not used for a week. */
  removeOldCopies(): Promise<void>;
  /** Removes what a killed server left: folders of jobs, and the processes in them. */
  removeAbandoned(): Promise<void>;
  /**
   * Opens the cached copy for `key`, or an empty one, and removes what the work left beside it. The caller ensures that one
   * process at a time works with a key. `work` is run again, once, if the cached copy turns out to be damaged before it has
   * made a commit.
   */
  withRepository<T>(
    options: { readonly key: readonly string[]; readonly remote: Remote; readonly signal: AbortSignal },
    work: (repository: Repository) => Promise<T>,
  ): Promise<T>;
  /** The last commit of a branch, without fetching it. */
  findRemoteCommit(remote: Remote, ref: string, signal: AbortSignal): Promise<string | undefined>;
}
