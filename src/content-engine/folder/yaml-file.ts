import { readYaml } from '../yaml.ts';

const LONGEST = 262_144;

/** What a YAML file says, or why it cannot be read. */
export function readFile(text: string): { readonly value?: unknown; readonly problem?: string } {
  const { value, fault } = readYaml(text, LONGEST);
  return fault === undefined ? { value } : { problem: `It is ${fault}` };
}

export const asMap = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};

export const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
