/** The reason why an operation ends as failed, for the person who reads it. */
export class GitFailure extends Error {
  readonly changeRequestId: string | undefined;

  constructor(message: string, { changeRequestId }: { readonly changeRequestId?: string } = {}) {
    super(message);
    this.changeRequestId = changeRequestId;
  }
}

/** `docs.yaml, line 3`, as messages name a place in a file. */
export const placeOf = (path: string, line: number | undefined): string =>
  line === undefined ? path : `${path}, line ${line}`;
