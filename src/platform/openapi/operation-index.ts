import type { NamedOperation } from '../api/operation.ts';

/** `docs/operations.md`: where every operation is, and who may call it. */
export function operationIndex(operations: readonly NamedOperation[]): string {
  const rows = operations
    .toSorted((a, b) => compare(a.path, b.path) || METHODS.indexOf(a.method) - METHODS.indexOf(b.method))
    .map((operation) => [
      operation.method,
      `\`${operation.path}\``,
      `\`${operation.id}\``,
      `\`${operation.folder}\``,
      scopeText(operation),
      accessText(operation),
      roleText(operation),
    ]);
  return [
    '# Operations',
    '',
    'Generated from the declarations by `npm run generate`; edit those instead.',
    '',
    `${operations.length} operations. The folder is the one in \`src/domains\`; the scope is what a limited token needs; the role`,
    'is the least that the caller needs there (`own`: the row decides, such as by whose it is).',
    '',
    row(['Method', 'Path', 'Operation', 'Folder', 'Scope', 'Access', 'Role']),
    row(Array.from({ length: 7 }, () => '---')),
    ...rows.map(row),
    '',
  ].join('\n');
}

/** `Team: admin` (the target and the action on it), `signed in`, `anyone`. */
export function accessText({ access }: NamedOperation): string {
  switch (access.kind) {
    case 'anyone':
      return 'anyone';
    case 'signed-in':
      return 'signed in';
    case 'target':
      return `${access.resource.name}: ${access.action}`;
  }
}

/** Written out here so that a change of who may do what is seen in a diff: the tests take it from the same table. */
function roleText({ access }: NamedOperation): string {
  if (access.kind !== 'target') return '';
  return access.resource.needs[access.action]?.label ?? '';
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

function scopeText({ access, scope }: NamedOperation): string {
  if (scope) return `\`${scope}\``;
  return access.kind === 'anyone' ? '' : 'full rights';
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** By code unit: a generated file must not depend on the locale of whoever generates it. */
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
