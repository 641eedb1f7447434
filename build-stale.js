import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Hashes of what each part was built from: Git sets the times of files to the moment of the checkout. */
const RECORD = 'dist/built.json';

/** The bundle of the program, with the scripts of its threads. */
export const PROGRAM = {
  name: 'program',
  inputs: ['src', 'bin/supported-node.js', 'build.js', 'build-program.js', 'build-licences.js'],
  output: 'dist/main.js',
};

const NOT_INSTALLED = `Octavo cannot be built: the packages that the build needs are not installed (--omit=dev, or NODE_ENV=production).
Run: npm ci --include=dev && npm prune --omit=dev`;

/**
 * Builds the parts whose inputs or packages have changed since they were built, or whose output is missing. With
 * `--if-possible`, missing packages are reported and the exit code is 0: `npm ci --omit=dev` succeeds where a `dist` is
 * copied later.
 */
export async function buildStale(parts) {
  const hashes = readRecord();
  for (const part of parts) {
    if (isBuilt(part)) continue;
    const hash = hashOf(part);
    if (!existsSync('node_modules/rolldown')) return reportMissing();
    delete hashes[part.name];
    writeRecord(hashes);
    await part.build();
    hashes[part.name] = hash;
    writeRecord(hashes);
  }
}

/** Whether a part was built from its present inputs and packages. */
export const isBuilt = (part) => readRecord()[part.name] === hashOf(part) && existsSync(part.output);

const hashOf = ({ inputs }) =>
  inputs
    .flatMap(filesOf)
    .reduce(
      (hash, file) => hash.update(`${file}\n`).update(readFileSync(file)),
      createHash('sha256').update(readFileSync('package-lock.json')),
    )
    .digest('hex');

/** Without tests, in an order that does not depend on the machine. */
function filesOf(input) {
  if (statSync(input).isFile()) return [input];
  return readdirSync(input, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .toSorted();
}

function readRecord() {
  try {
    return JSON.parse(readFileSync(RECORD, 'utf8'));
  } catch {
    return {};
  }
}

function writeRecord(hashes) {
  mkdirSync(path.dirname(RECORD), { recursive: true });
  writeFileSync(RECORD, JSON.stringify(hashes));
}

function reportMissing() {
  process.stderr.write(`${NOT_INSTALLED}\n`);
  if (!process.argv.includes('--if-possible')) process.exitCode = 1;
}
