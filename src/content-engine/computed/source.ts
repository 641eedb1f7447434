import { cleanTitle, type ComputedSource } from '../tree/index.ts';

export const OPENAPI = 'builtin:openapi';

/** An entry that shows a specification of the organization. */
export interface SpecEntry {
  /** The name of the specification. */
  readonly spec: string;
  /** One page for each operation, below a page for its tag; otherwise one for each tag, with its operations. */
  readonly byOperation: boolean;
  readonly models: boolean;
}

/** Undefined: the entry has no pages. The values are those of an imported folder, and may be anything. */
export function readSpecEntry({
  type,
  props = {},
  dependencies = {},
}: ComputedSource): SpecEntry | undefined {
  const spec = memberOf(memberOf(dependencies['spec'], 'ref'), 'spec');
  if (type !== OPENAPI || typeof spec !== 'string') return undefined;
  return { spec, byOperation: props['grouping'] === 'by-operation', models: props['models'] === true };
}

/** The default title of an entry: the name of its specification. */
export function computedTitle({ type, dependencies = {} }: ComputedSource): string {
  const spec = memberOf(memberOf(dependencies['spec'], 'ref'), 'spec');
  return cleanTitle(typeof spec === 'string' ? spec : '') ?? cleanTitle(type) ?? 'Untitled';
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
