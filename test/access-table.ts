/** The statuses of each operation (`createTeam, form 0`), by caller. */
export type AccessTable = Map<string, ReadonlyMap<string, string>>;

const HEAD = `# Who may call what: the status that each caller gets from each operation, in each of its forms. Of a list with filters, also the
# status without them (200/200). Written by \`npm run generate\`. Review each change: test/access-matrix.test.ts expects what is here.
`;

/** By status, with all callers that get it on one line. */
export function writeAccessTable(table: AccessTable): string {
  const rows = [...table].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return HEAD + rows.map(([name, row]) => `\n${name}\n${linesOf(row).join('')}`).join('');
}

function linesOf(row: ReadonlyMap<string, string>): string[] {
  const callers = new Map<string, string[]>();
  for (const [caller, status] of row) callers.set(status, [...(callers.get(status) ?? []), caller]);
  return [...callers].map(([status, names]) => `  ${status}: ${names.join(', ')}\n`);
}

export function parseAccessTable(text: string): AccessTable {
  const table: AccessTable = new Map();
  for (const block of text.split('\n\n').slice(1)) {
    const [name = '', ...lines] = block.trimEnd().split('\n');
    table.set(
      name,
      new Map(
        lines.flatMap((line) => {
          const [, status = '', callers = ''] = /^ {2}(\S+): (.*)$/.exec(line) ?? [];
          return callers.split(', ').map((caller) => [caller, status] as const);
        }),
      ),
    );
  }
  return table;
}
