#!/usr/bin/env node
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { requireSupportedNode } from './supported-node.js';

// The program is imported only after the check, because an old Node cannot load it.
requireSupportedNode();
if (!existsSync(new URL('../dist/main.js', import.meta.url))) {
  const folder = fileURLToPath(new URL('..', import.meta.url));
  process.stderr.write(`Octavo is not built. Run in ${folder}: npm ci --include=dev\n`);
  process.exit(1);
}
// Node 22 and newer keep the compiled code, which saves a third of the start. Beside the program, because anyone can write
// to the directory for temporary files.
module.enableCompileCache?.(fileURLToPath(new URL('../dist/compiled', import.meta.url)));
await import('../dist/main.js');
