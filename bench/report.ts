import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, totalmem } from 'node:os';
import path from 'node:path';
import type { Checked } from './check.ts';
import { CORPUS } from './corpus.ts';
import type { Measured } from './measure.ts';
import type { Options } from './options.ts';
import { CONNECTIONS, type Target } from './row.ts';

export interface Results {
  readonly startedAt: Date;
  readonly options: Options;
  readonly rows: readonly Measured[];
  readonly checks: readonly Checked[];
  /** What could not be measured, with the reason. */
  readonly problems: readonly string[];
}

const count = (value: number) => Math.round(value).toLocaleString('en');
const milliseconds = (value: number) => value.toFixed(2);
const megabytes = (bytes: number | undefined) =>
  bytes === undefined ? '-' : `${Math.round(bytes / 2 ** 20)} MB`;
const microseconds = (value: number) => (Number.isNaN(value) ? '-' : value.toFixed(0));
const verdict = (isReached: boolean) => (isReached ? 'OK' : 'MISSED');

const COLUMNS = [
  'operation',
  'bytes',
  'req/s',
  'p50 ms',
  'p99 ms',
  'cpu us',
  'memory',
  'bare req/s',
  'p50 ms',
  'p99 ms',
  'cpu us',
  'ratio',
];

export function tableOf({ rows, checks }: Results): string {
  const lines = rows.map((measured) => [
    measured.label + (measured.connections === CONNECTIONS ? '' : ` (${measured.connections} connections)`),
    count(measured.bytes),
    count(measured.ours.perSecond),
    milliseconds(measured.ours.p50),
    milliseconds(measured.ours.p99),
    microseconds(measured.ours.cpu),
    megabytes(measured.memory),
    count(measured.bare.perSecond),
    milliseconds(measured.bare.p50),
    milliseconds(measured.bare.p99),
    microseconds(measured.bare.cpu),
    measured.ratio.toFixed(3),
    ...aim(measured, rows),
  ]);
  const checkLines = checks.map(({ name, value, aim }) => [
    name,
    value === undefined ? '-' : inUnit(value, aim.unit),
    `${aim.bound === 'at most' ? '<=' : '>='} ${aim.value} ${aim.unit}`,
    value === undefined ? '' : verdict(aim.bound === 'at most' ? value <= aim.value : value >= aim.value),
  ]);
  const tables = [CORPUS];
  if (lines.length > 0) tables.push(aligned([[...COLUMNS, 'target', ''], ...lines]));
  if (checkLines.length > 0) tables.push(aligned([['other figures', 'value', 'target', ''], ...checkLines]));
  return tables.join('\n\n');
}

const DIGITS: Partial<Record<Checked['aim']['unit'], number>> = { s: 2, x: 2, kB: 1 };

const inUnit = (value: number, unit: Checked['aim']['unit']): string =>
  `${value.toFixed(DIGITS[unit] ?? 0)} ${unit}`;

function aim({ row, ratio, ours }: Measured, all: readonly Measured[]): [string, string] {
  const { ratio: part, perSecond, relativeTo }: Target = row.target ?? {};
  const other = all.find((each) => each.row.name === relativeTo?.[0]);
  const aims = [
    ...(part === undefined ? [] : [{ text: `>= ${part.toFixed(2)} of bare`, isReached: ratio >= part }]),
    ...(perSecond === undefined
      ? []
      : [{ text: `>= ${count(perSecond)}/s`, isReached: ours.perSecond >= perSecond }]),
    ...(relativeTo === undefined || other === undefined
      ? []
      : [
          {
            text: `<= ${relativeTo[1]} x ${relativeTo[0]} (${(ours.p50 / other.ours.p50).toFixed(2)})`,
            isReached: ours.p50 <= relativeTo[1] * other.ours.p50,
          },
        ]),
  ];
  if (aims.length === 0) return ['', ''];
  return [aims.map(({ text }) => text).join(', '), verdict(aims.every(({ isReached }) => isReached))];
}

/** The first and the last two columns are text, the others numbers. */
function aligned(table: readonly (readonly string[])[]): string {
  const width = (column: number) => Math.max(...table.map((cells) => cells[column]?.length ?? 0));
  return table
    .map((cells) =>
      cells
        .map((cell, column) =>
          isText(column, cells) ? cell.padEnd(width(column)) : cell.padStart(width(column)),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const isText = (column: number, cells: readonly string[]) => column === 0 || column >= cells.length - 2;

/** All data, including each round, to compare runs. */
export function save(folder: string, results: Results): string {
  const { startedAt, options, rows, checks, problems } = results;
  const machine = {
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    processors: cpus().map(({ model }) => model),
    memory: totalmem(),
    loadAverage: loadavg(),
  };
  const file = path.join(folder, `${startedAt.toISOString().replaceAll(/[:.]/g, '-')}.json`);
  const saved = rows.map(({ row, ...measured }) => {
    const [target, verdict] = aim({ row, ...measured }, rows);
    return Object.assign(measured, { target, verdict });
  });
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    file,
    `${JSON.stringify({ startedAt, options, machine, corpus: CORPUS, rows: saved, checks, problems }, undefined, 2)}\n`,
  );
  return file;
}

/** One line per failure, and per row with unexpected responses. */
export const failuresOf = ({ rows, problems }: Results): string[] => [
  ...problems,
  ...rows
    .filter(({ failures }) => Object.keys(failures).length > 0)
    .map(
      ({ label, failures }) =>
        `${label}: ${Object.entries(failures)
          .map(([what, times]) => `${times} x ${what}`)
          .join(', ')}`,
    ),
];
