#!/usr/bin/env node
import { requireSupportedNode } from './supported-node.js';

// The program is imported only after the check: an old Node could not even load it.
requireSupportedNode();
await import('../dist/main.js');
