/** Values of a request that are left as JSON text if they are large, because a thread parses them. */
export interface UnparsedJson {
  /** Names of members, `*` for the index of an array. */
  readonly path: readonly string[];
  /** The limit for each. */
  readonly values: number;
  /** Takes the place of the value when the request is validated. Invalid as a value, in case its text is lost. */
  readonly stub: object;
}

const JSON_TEXT = Symbol('JSON text');

export const withJsonText = (stub: object | undefined, text: Uint8Array): object => ({
  ...stub,
  [JSON_TEXT]: text,
});

/** The text of a value that was left unparsed. */
export const jsonTextOf = (value: object): Uint8Array | undefined =>
  (value as { readonly [JSON_TEXT]?: Uint8Array })[JSON_TEXT];
