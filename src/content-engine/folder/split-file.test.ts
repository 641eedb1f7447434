import { expect, test } from 'vitest';
import { splitInclude, splitPage } from './split-file.ts';

const BLANKS = '\n'.repeat(100_000);

test.each([
  ['after the title', `# Title\n${BLANKS}Text.\n`],
  ['before the title', `${BLANKS}# Title\n\nText.\n`],
  ['after the frontmatter', `---\nicon: x\n---\n${BLANKS}# Title\n\nText.\n`],
])('thousands of blank lines %s belong to the body: a record is small', (_where, text) => {
  for (const split of [splitPage, splitInclude]) {
    const { frontmatter, titleLine, body } = split(text);
    expect(titleLine.length).toBeLessThan(2048);
    expect(frontmatter + titleLine + body).toBe(text);
  }
});
