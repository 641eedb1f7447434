/** The words of API references. `{…}` is replaced. */
export interface ApiWords {
  readonly authentication: string;
  readonly pathParameters: string;
  readonly queryParameters: string;
  readonly headers: string;
  readonly cookies: string;
  readonly requestBody: string;
  readonly payload: string;
  readonly responses: string;
  readonly response: string;
  readonly required: string;
  readonly deprecated: string;
  /** `{date}` */
  readonly deprecatedUntil: string;
  readonly readOnly: string;
  readonly writeOnly: string;
  readonly defaultValue: string;
  readonly example: string;
  readonly allowedValues: string;
  /** `{name}` */
  readonly propertiesOf: string;
  readonly properties: string;
  readonly otherNames: string;
  readonly items: string;
  readonly oneOf: string;
  readonly anyOf: string;
  readonly optional: string;
  /** `{spec}` */
  readonly removedOperation: string;
  /** `{name}`, `{spec}` */
  readonly removedModel: string;
  readonly moreAbout: string;
  readonly tryIt: string;
  readonly send: string;
  readonly server: string;
  readonly requestFailed: string;
}

export const ENGLISH_API: ApiWords = {
  authentication: 'Authentication',
  pathParameters: 'Path parameters',
  queryParameters: 'Query parameters',
  headers: 'Headers',
  cookies: 'Cookies',
  requestBody: 'Request body',
  payload: 'Payload',
  responses: 'Responses',
  response: 'Response',
  required: 'required',
  deprecated: 'Deprecated',
  deprecatedUntil: 'Deprecated. It will be removed on {date}.',
  readOnly: 'read-only',
  writeOnly: 'write-only',
  defaultValue: 'Default',
  example: 'Example',
  allowedValues: 'One of',
  propertiesOf: 'Properties of {name}',
  properties: 'Properties',
  otherNames: 'any other name',
  items: 'Each item',
  oneOf: 'One of',
  anyOf: 'Any of',
  optional: 'optional',
  removedOperation: 'This operation is no longer part of the specification {spec}.',
  removedModel: '{name} is no longer part of the specification {spec}.',
  moreAbout: 'Read more',
  tryIt: 'Try it',
  send: 'Send',
  server: 'Server',
  requestFailed:
    'The request got no answer that this page may read. The server does not answer, or does not allow requests from this site (CORS).',
};
