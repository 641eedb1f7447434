export type SpecificationErrorCode = 'FETCH_TIMEOUT' | 'FETCH_ERROR' | 'PARSE_ERROR';

/** Why a specification cannot be used, for its author. */
export class SpecificationError extends Error {
  readonly code: SpecificationErrorCode;

  constructor(code: SpecificationErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
