import { DatabaseError } from 'pg';
import { expect, test } from 'vitest';
import { isDiskFull, isRefusedByFullDisk } from './sqlstates.ts';

const error = (severity: string, code = '53100') =>
  Object.assign(new DatabaseError('could not extend file', 0, 'error'), { code, severity });

test.each([
  ['ERROR', true],
  // PostgreSQL in German.
  ['FEHLER', true],
  // No connection: a read was refused, too.
  ['FATAL', false],
  // The commit may have been written before.
  ['PANIC', false],
])('with the severity %s, nothing was stored: %s', (severity, isRefused) => {
  expect([isDiskFull(error(severity)), isRefusedByFullDisk(error(severity))]).toEqual([true, isRefused]);
});

test('other errors do not mean a full disk', () => {
  expect([isDiskFull(error('ERROR', '53300')), isRefusedByFullDisk(new Error('53100'))]).toEqual([
    false,
    false,
  ]);
});
