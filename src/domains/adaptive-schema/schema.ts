import Type from 'typebox';
import { named, Timestamp } from '../../platform/api/schema.ts';

export interface ClaimSchema {
  readonly type: 'boolean' | 'string' | 'number' | 'array' | 'object';
  readonly description: string;
  readonly enum?: readonly string[];
  readonly items?: ClaimSchema;
  readonly properties?: ClaimSchemas;
  readonly additionalProperties?: false;
}

export type ClaimSchemas = Readonly<Record<string, ClaimSchema>>;

/** The schema of all claims. `properties.unsigned` has the claims that are not signed. */
export interface ClaimsSchema {
  readonly $schema?: string;
  readonly type: 'object';
  readonly properties: ClaimSchemas;
  readonly additionalProperties: false;
}

export const DRAFT = 'http://json-schema.org/draft-07/schema#';
export const UNSIGNED_DESCRIPTION = 'Unsigned claims of the site visitor.';

/** `check-schema.ts` validates its content: it is recursive, and an error should name its place. */
const JsonSchema = Type.Unsafe<ClaimsSchema>({
  type: 'object',
  title: 'SiteAdaptiveJSONSchema',
  description:
    'A JSON Schema (draft 7) of the claims of visitors: `boolean`, `string` (with `enum` or without), `number`, `array` of these, or `object`. Every one has a `description`',
  required: ['type', 'properties', 'additionalProperties'],
  properties: {
    $schema: { type: 'string' },
    type: { type: 'string' },
    properties: { type: 'object', additionalProperties: true },
    additionalProperties: { type: 'boolean' },
  },
  additionalProperties: true,
  examples: [
    {
      type: 'object',
      properties: {
        plan: { type: 'string', enum: ['free', 'pro'], description: 'Plan of the customer' },
        unsigned: {
          type: 'object',
          description: UNSIGNED_DESCRIPTION,
          properties: { beta: { type: 'boolean', description: 'Whether they try new features' } },
          additionalProperties: false,
        },
      },
      additionalProperties: false,
    },
  ],
});

export const AdaptiveSchema = named('SiteAdaptiveSchema', {
  object: Type.Literal('site-adaptive-schema'),
  jsonSchema: JsonSchema,
  updatedAt: Timestamp,
});

export const NewAdaptiveSchema = Type.Object({ jsonSchema: JsonSchema });

export const TemplateConditions = Type.Object({
  items: Type.Array(
    named('SiteAdaptiveTemplateCondition', { description: Type.String(), condition: Type.String() }),
  ),
});
