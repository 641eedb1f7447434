import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './program.ts';

/** What Git has of the program, without its tests: no packages, and nothing built. */
export function copyCheckout(to: string): string {
  mkdirSync(to);
  const scripts = readdirSync(ROOT).filter((name) => /^build.*\.js$/.test(name));
  for (const name of [
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    ...scripts,
    'bin',
    'src',
    'migrations',
    'docs',
  ]) {
    cpSync(path.join(ROOT, name), path.join(to, name), { recursive: true });
  }
  return to;
}

export function linkPackages(checkout: string): void {
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(checkout, 'node_modules'));
}
