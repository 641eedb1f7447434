import { readYaml } from '../yaml.ts';

const MAX_LENGTH = 262_144;

/** Parses a YAML file, or says why it cannot be parsed. */
export function parseYamlFile(text: string): { readonly value?: unknown; readonly problem?: string } {
  const { value, fault } = readYaml(text, MAX_LENGTH);
  return fault === undefined ? { value } : { problem: `It is ${fault}` };
}

export const asMap = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};

export const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
