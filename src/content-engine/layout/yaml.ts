import { parseDocument } from 'yaml';

const MAX_YAML = 262_144;

/** What a YAML file says, or why it cannot be read. Never throws. */
export function readYaml(text: string): { readonly value?: unknown; readonly problem?: string } {
  if (text.length > MAX_YAML) return { problem: 'The file is too long to be read' };
  try {
    const document = parseDocument(text, { strict: false, logLevel: 'silent', uniqueKeys: false });
    const [error] = document.errors;
    if (error !== undefined) return { problem: `Not valid YAML: ${firstLine(error.message)}` };
    return { value: plain(document.toJS({ maxAliasCount: 50 })) };
  } catch (error) {
    return { problem: `Not valid YAML: ${firstLine(String(error))}` };
  }
}

/** As JSON can hold it. Throws where a value contains itself. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null)) as unknown;

/** The same, or nothing. */
export function asPlain(value: unknown): unknown {
  try {
    return plain(value);
  } catch {
    return undefined;
  }
}

const firstLine = (message: string): string => (message.split('\n')[0] ?? '').replace(/:$/, '').slice(0, 120);

export const asMap = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};

export const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
