import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'vitest';
import { operations } from '../src/domains/index.ts';
import { PACKAGE_ROOT } from '../src/platform/version.ts';
import { aDatabase, urlOf } from './databases.ts';
import { expectGenerated } from './generated.ts';
import { operationIndex } from './operation-index.ts';

test('docs/operations.md lists every operation', () => {
  expectGenerated('docs/operations.md', operationIndex(operations));
});

test('the table types are those of the migrated database', async () => {
  const url = urlOf(await aDatabase());
  const file = path.join(tmpdir(), `octavo-tables-${process.pid}.ts`);
  execFileSync(path.join(PACKAGE_ROOT, 'node_modules/.bin/kysely-codegen'), [
    '--dialect=postgres',
    `--url=${url}`,
    '--default-schema=public',
    '--include-pattern=public.*',
    '--exclude-pattern=*kysely_*',
    '--type-mapping={"int8":"number"}',
    `--out-file=${file}`,
    '--log-level=error',
  ]);
  expectGenerated('src/platform/database/tables.ts', readFileSync(file, 'utf8'));
});
