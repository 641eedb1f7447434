import type { AdaptiveSiteRow } from './policy.ts';
import { UNSIGNED_DESCRIPTION, type ClaimsSchema } from './schema.ts';

/** The schema of a site that declares no claims. */
const EMPTY: ClaimsSchema = {
  type: 'object',
  properties: {
    unsigned: {
      type: 'object',
      description: UNSIGNED_DESCRIPTION,
      properties: {},
      additionalProperties: false,
    },
  },
  additionalProperties: false,
};

export const schemaOf = (row: AdaptiveSiteRow): ClaimsSchema =>
  (row.json_schema as ClaimsSchema | null) ?? EMPTY;

export const presentSchema = (jsonSchema: ClaimsSchema, updatedAt: Date) => ({
  object: 'site-adaptive-schema' as const,
  jsonSchema,
  updatedAt: updatedAt.toISOString(),
});
