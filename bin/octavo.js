#!/usr/bin/env node
import { requireSupportedNode } from './supported-node.js';

// The program is imported only after the check, because an old Node cannot load it.
requireSupportedNode();
await import('../dist/main.js');
