import { parseDocument } from '../../src/content-engine/markdown/index.ts';
import { atLeast, type Check } from '../check.ts';
import { makePage } from '../corpus.ts';
import { median } from '../load.ts';

const PAGES = 300;
const ROUNDS = 9;

/** In this process, after a warm-up, as in a server. */
const parse: Check = {
  name: 'Markdown parsed into documents',
  aim: atLeast(5, 'MB/s'),
  async measure() {
    const texts = Array.from({ length: PAGES }, (_each, n) => makePage(n, 4000).markdown);
    const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    const rates = Array.from({ length: ROUNDS }, () => {
      const startedAt = performance.now();
      for (const text of texts) parseDocument(text);
      return bytes / (performance.now() - startedAt) / 1000;
    });
    return median(rates);
  },
};

export const parseChecks: readonly Check[] = [parse];
