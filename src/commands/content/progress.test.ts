import { expect, test } from 'vitest';
import { createProgressBar } from './progress.ts';

function record(isBar: boolean, columns = 40) {
  const written: string[] = [];
  let time = 0;
  const stream = { isTTY: isBar, columns, write: (text: string) => written.push(text) };
  const bar = createProgressBar(stream, { isBar, label: 'Importing', now: () => time });
  return { bar, written, wait: (ms: number) => (time += ms) };
}

test('a bar is rewritten at most ten times a second, and removed', () => {
  const { bar, written, wait } = record(true);
  for (let done = 0; done <= 500; done++) {
    bar.update({ done, total: 500, current: 'guide/install.md' });
    wait(10);
  }
  expect(written).toHaveLength(51);
  expect(written[32]).toBe('\r\x1b[2KImporting  320/500  64 %  guide/instal…');
  bar.clear();
  bar.clear();
  expect(written.slice(51)).toEqual(['\r\x1b[2K']);
});

test('a terminal of unknown width shows the bar', () => {
  const { bar, written } = record(true, 0);
  bar.update({ done: 1, total: 2, current: 'a.md' });
  expect(written).toEqual(['\r\x1b[2KImporting  1/2  50 %  a.md']);
});

test('elsewhere, a line follows every ten seconds', () => {
  const { bar, written, wait } = record(false);
  for (let done = 0; done < 250; done++) {
    bar.update({ done, total: 250 });
    wait(100);
  }
  expect(written).toEqual(['Importing  100/250  40 %\n', 'Importing  200/250  80 %\n']);
});

test('names of files cannot control the terminal', () => {
  const { bar, written } = record(true, 200);
  bar.update({ done: 1, total: 1, current: 'a\x1b[2Jb\u202e.md' });
  expect(written[0]).toBe('\r\x1b[2KImporting  1/1  100 %  a?[2Jb?.md');
});
