import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { PACKAGE_ROOT } from '../src/platform/version.ts';

/** `npm run generate` writes what the tests otherwise compare. */
export const isGenerating = process.env['OCTAVO_GENERATE'] === '1';

export const committed = (file: string): string => {
  const full = path.join(PACKAGE_ROOT, file);
  return existsSync(full) ? readFileSync(full, 'utf8') : '';
};

export function expectGenerated(file: string, text: string): void {
  if (isGenerating) writeFileSync(path.join(PACKAGE_ROOT, file), text);
  expect(committed(file), `${file} is out of date: npm run generate`).toBe(text);
}
