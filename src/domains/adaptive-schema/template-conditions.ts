import type { ClaimsSchema, ClaimSchema, ClaimSchemas } from './schema.ts';

const MAX_CONDITIONS = 500;
/** Names that can follow a dot in an expression. */
const IS_NAME = /^[A-Za-z_$][\w$]*$/;

export interface TemplateCondition {
  readonly description: string;
  readonly condition: string;
}

/** Conditions that authors can choose from: one for each value that a declared claim can have. */
export const templateConditions = ({ properties }: ClaimsSchema): readonly TemplateCondition[] =>
  conditionsOn(properties, 'visitor.claims').slice(0, MAX_CONDITIONS);

const conditionsOn = (claims: ClaimSchemas, path: string): TemplateCondition[] =>
  Object.entries(claims).flatMap(([name, claim]) =>
    conditionsOf(claim, IS_NAME.test(name) ? `${path}.${name}` : `${path}[${quoted(name)}]`, name),
  );

function conditionsOf(claim: ClaimSchema, path: string, name: string): TemplateCondition[] {
  const label = claim.description || name;
  switch (claim.type) {
    case 'boolean':
      return [
        { description: label, condition: `${path} === true` },
        { description: `Not: ${label}`, condition: `${path} !== true` },
      ];
    case 'string':
      return (claim.enum ?? []).map((value) => ({
        description: `${label}: ${value}`,
        condition: `${path} === ${quoted(value)}`,
      }));
    case 'array':
      return (claim.items?.enum ?? []).map((value) => ({
        description: `${label}: ${value}`,
        condition: `${path}.includes(${quoted(value)})`,
      }));
    case 'object':
      return conditionsOn(claim.properties ?? {}, path);
    default:
      return [];
  }
}

const quoted = (text: string): string => JSON.stringify(text);
