import { hashOf } from '../src/content-engine/map/index.ts';
import type { ImportWork } from '../src/domains/imports/index.ts';
import { createOutbound } from '../src/platform/outbound/index.ts';
import { tasks } from '../src/tasks.ts';

const MB = 1024 * 1024;

/** What readers of imports work with, without a database: files are described, and pages converted at once. */
export const importWork = (changes: Partial<ImportWork> = {}): ImportWork => ({
  outbound: createOutbound({ allow: [], ownAddresses: [] }),
  convert: (inputs) => Promise.resolve(tasks.convertPages(inputs)),
  convertDocx: tasks.convertDocx,
  storeFile: (_, bytes) =>
    Promise.resolve({ hash: hashOf(bytes), size: bytes.length, contentType: 'application/octet-stream' }),
  limits: { pages: 5000, textBytes: 24 * MB, files: 2000, fileBytes: 20 * MB, filesBytes: 512 * MB },
  deadline: { pagesUntil: Infinity, filesUntil: Infinity },
  signal: new AbortController().signal,
  report: () => undefined,
  ...changes,
});
