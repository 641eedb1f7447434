/** What a specification has pages of. */
export interface ApiOutline {
  /** Declared tags, in their order. */
  readonly tags: readonly ApiTag[];
  readonly operations: readonly ApiOperation[];
  /** The names of its schemas. */
  readonly schemas: readonly string[];
}

export interface ApiTag {
  readonly name: string;
  readonly title?: string | undefined;
  readonly slug?: string | undefined;
  readonly icon?: string | undefined;
  /** One paragraph, as text. */
  readonly summary?: string | undefined;
  /** Markdown. */
  readonly description?: string | undefined;
  /** The tag above it. */
  readonly parent?: string | undefined;
}

export interface ApiOperation {
  readonly kind: 'operation' | 'webhook';
  /** Of a webhook: its name. */
  readonly path: string;
  readonly method: string;
  readonly operationId?: string | undefined;
  readonly title: string;
  /** Markdown. */
  readonly description?: string | undefined;
  readonly tags: readonly string[];
}
