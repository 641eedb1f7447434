import { afterAll, inject } from 'vitest';
import { useBuiltScripts } from '../src/platform/script.ts';
import { closeAll } from './at-end.ts';

const scripts = inject('scripts');
if (scripts !== undefined) useBuiltScripts(scripts);

afterAll(closeAll);
