/**
 * What readers are shown of a specification: one self-contained value for each operation, webhook and schema, so that a page
 * is rendered without the specification. Stored as JSON: a field that is absent is not known.
 */

export interface SchemaView {
  /** As shown: `string`, `array of Pet`, `string | null`. */
  readonly type: string;
  /** The name of the model that it is. */
  readonly model?: string;
  /** The model is named only, because it is nested too deep, or contains itself. */
  readonly isCut?: true;
  readonly description?: string;
  readonly deprecated?: true;
  readonly readOnly?: true;
  readonly writeOnly?: true;
  /** Values as JSON. */
  readonly default?: string;
  readonly example?: string;
  readonly enum?: readonly EnumValue[];
  /** Such as `≥ 1` or `matches ^[a-z]+$`. */
  readonly constraints?: readonly string[];
  readonly properties?: readonly PropertyView[];
  /** Properties of other names. */
  readonly additional?: SchemaView;
  /** Of arrays whose items have something to show. */
  readonly items?: SchemaView;
  readonly variants?: VariantsView;
}

export interface EnumValue {
  readonly value: string;
  readonly description?: string;
}

export interface PropertyView {
  readonly name: string;
  readonly required?: true;
  readonly schema: SchemaView;
}

export interface VariantsView {
  readonly kind: 'oneOf' | 'anyOf';
  /** The property that tells which it is. */
  readonly discriminator?: string;
  readonly of: readonly SchemaView[];
}

export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie';

export interface ParameterView {
  readonly name: string;
  readonly in: ParameterPlace;
  readonly required?: true;
  readonly deprecated?: true;
  readonly description?: string;
  readonly schema: SchemaView;
  /** For samples of requests. */
  readonly example?: string;
}

export interface HeaderView {
  readonly name: string;
  readonly required?: true;
  readonly description?: string;
  readonly schema: SchemaView;
}

export interface ContentView {
  readonly mediaType: string;
  readonly schema?: SchemaView;
  readonly examples: readonly ExampleView[];
}

export interface ExampleView {
  readonly name: string;
  readonly text: string;
}

export interface BodyView {
  readonly required?: true;
  readonly description?: string;
  readonly contents: readonly ContentView[];
}

export interface ResponseView {
  /** `200`, `4XX` or `default`. */
  readonly status: string;
  readonly description?: string;
  readonly headers: readonly HeaderView[];
  readonly contents: readonly ContentView[];
  readonly hidesSample?: true;
}

export interface ServerView {
  /** With `{variables}`. */
  readonly url: string;
  readonly description?: string;
  readonly variables?: readonly {
    readonly name: string;
    readonly default: string;
    readonly enum?: readonly string[];
  }[];
}

export interface SecurityView {
  /** The name of the scheme. */
  readonly name: string;
  readonly type: 'apiKey' | 'http' | 'oauth2' | 'openIdConnect' | 'mutualTLS';
  readonly description?: string;
  /** Of an API key. */
  readonly in?: 'header' | 'query' | 'cookie';
  readonly key?: string;
  /** Of HTTP: `bearer`, `basic`. */
  readonly scheme?: string;
  readonly prefix?: string;
  readonly placeholder?: string;
  readonly scopes?: readonly string[];
  readonly urls?: readonly { readonly name: string; readonly url: string }[];
}

export interface CodeSampleView {
  readonly label: string;
  readonly language: string;
  readonly source: string;
}

export interface OperationView {
  readonly kind: 'operation' | 'webhook';
  /** In capitals. */
  readonly method: string;
  /** Of a webhook, its name. */
  readonly path: string;
  readonly title: string;
  readonly operationId?: string;
  readonly description?: string;
  readonly docs?: { readonly url: string; readonly description?: string };
  readonly tags: readonly string[];
  readonly deprecated?: true;
  /** A date. */
  readonly sunset?: string;
  readonly stability?: string;
  readonly servers: readonly ServerView[];
  /** Alternatives, each of schemes that are needed together. An empty one: without authentication. */
  readonly security: readonly (readonly SecurityView[])[];
  readonly parameters: readonly ParameterView[];
  readonly body?: BodyView;
  readonly responses: readonly ResponseView[];
  readonly samples: readonly CodeSampleView[];
  readonly hidesSamples?: true;
  readonly hidesTryIt?: true;
  readonly expandsResponses?: true;
  readonly expandsModels?: true;
}

export interface ModelView {
  readonly kind: 'schema';
  readonly name: string;
  readonly schema: SchemaView;
  /** JSON. */
  readonly example?: string;
}

export interface TagView {
  readonly name: string;
  readonly description?: string;
  readonly parent?: string;
  /** `x-page-title`, `x-displayName`, or `summary` of 3.2. */
  readonly title?: string;
  readonly slug?: string;
  readonly icon?: string;
  readonly pageDescription?: string;
}

export interface InfoView {
  readonly kind: 'info';
  readonly title: string;
  readonly version: string;
  readonly description?: string;
  readonly servers: readonly ServerView[];
  readonly tags: readonly TagView[];
}

export type PartView = OperationView | ModelView | InfoView;

/** One row of what a specification shows. */
export interface Part {
  readonly kind: PartView['kind'];
  /** `get /pets/{id}`, `post newPet` (a webhook), `Pet` (a schema), or empty. Unique among its kind. */
  readonly name: string;
  readonly operationId?: string;
  readonly title: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly deprecated: boolean;
  readonly view: PartView;
}
