import { partsOf, type JsonObject, type PartView } from '../src/content-engine/openapi/index.ts';
import type { HtmlOptions } from '../src/content-engine/render/html/index.ts';

/** A specification that uses everything that views show. Every name and text of its author is `text`. */
export const specificationOf = (text: string): JsonObject => ({
  openapi: '3.1.0',
  info: { title: text, version: text, description: text },
  servers: [
    { url: `https://{region}.example.com/${text}`, variables: { region: { default: text, enum: [text] } } },
  ],
  tags: [{ name: text, description: text, 'x-page-title': text, 'x-page-icon': text }],
  security: [{ key: [] }, { login: [text] }, {}],
  paths: {
    '/pets/{id}': {
      post: {
        operationId: text,
        summary: text,
        description: text,
        externalDocs: { url: text, description: text },
        tags: [text],
        deprecated: true,
        'x-deprecated-sunset': '2030-12-05',
        'x-stability': text,
        'x-codeSamples': [{ lang: text, label: text, source: text }],
        parameters: [
          { name: text, in: 'path', required: true, description: text, schema: { type: text, format: text } },
          {
            name: text,
            in: 'query',
            deprecated: true,
            schema: { enum: [text, text], 'x-enumDescriptions': { [text]: text } },
          },
          {
            name: text,
            in: 'header',
            schema: { type: 'string', default: text, example: text, pattern: text, minLength: 1 },
          },
          { name: text, in: 'cookie', example: text, schema: { type: ['string', 'null'] } },
        ],
        requestBody: {
          required: true,
          description: text,
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/Pet' },
              examples: { [text]: { summary: text, value: text } },
            },
            [text]: { schema: { type: 'array', items: { $ref: '#/components/schemas/Pet' } } },
          },
        },
        responses: {
          200: {
            description: text,
            headers: { [text]: { description: text, schema: { type: 'string' } } },
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } },
          },
          [text]: { description: `${text}\n\n${text}` },
        },
      },
      get: { operationId: `${text} 2`, responses: { 204: { description: text } } },
    },
  },
  webhooks: {
    newPet: {
      post: {
        summary: text,
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } },
      },
    },
  },
  components: {
    securitySchemes: {
      key: {
        type: 'apiKey',
        in: 'header',
        name: text,
        description: text,
        'x-gitbook-prefix': text,
        'x-gitbook-token-placeholder': text,
      },
      login: {
        type: 'oauth2',
        description: text,
        flows: { implicit: { authorizationUrl: text, scopes: { [text]: text } } },
      },
    },
    schemas: {
      Pet: {
        type: 'object',
        description: text,
        required: [text],
        properties: {
          [text]: { type: 'string', description: text, readOnly: true },
          friends: { type: 'array', items: { $ref: '#/components/schemas/Pet' } },
          owner: {
            type: 'object',
            properties: { [text]: { writeOnly: true, deprecated: true, const: text } },
            additionalProperties: { type: 'string' },
          },
          kind: {
            oneOf: [{ $ref: '#/components/schemas/Cat' }, { type: text }],
            discriminator: { propertyName: text },
          },
        },
      },
      Cat: {
        allOf: [
          { $ref: '#/components/schemas/Pet' },
          { properties: { lives: { type: 'integer', minimum: 1, maximum: 9 } } },
        ],
      },
    },
  },
});

/** The views of a specification: shown by every block, whatever it names. */
export function shownBy(specification: JsonObject): HtmlOptions['openapi'] {
  const parts = [...partsOf(specification)];
  const ofKind = (kind: PartView['kind']) => parts.find((part) => part.kind === kind)?.view;
  return (block) => {
    if (block.type === 'openapi-schemas')
      return {
        spec: 'spec',
        views: block.data.schemas.map((_name, index) => (index === 0 ? ofKind('schema') : undefined)),
      };
    return { spec: 'spec', views: [ofKind(block.type === 'openapi-webhook' ? 'webhook' : 'operation')] };
  };
}
