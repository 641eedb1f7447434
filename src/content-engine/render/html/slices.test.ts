import { describe, expect, it } from 'vitest';
import { parseDocument } from '../../markdown/index.ts';
import { renderHtml, renderHtmlInSlices } from './index.ts';

function steps(body: string): { count: number; html: string } {
  const work = renderHtmlInSlices(parseDocument(body));
  for (let count = 0; ; count++) {
    const step = work.next();
    if (step.done) return { count, html: step.value.html };
  }
}

/** Bodies of which most is one block, so that steps between blocks would not be enough. */
const LONG: Readonly<Record<string, (count: number) => string>> = {
  'of many blocks': (count) => '## Heading\n\nText with **marks** and [a link](/x).\n\n'.repeat(count),
  'of one paragraph': (count) => 'text [a](/b) **c** `d`\n'.repeat(count),
  'of one list': (count) => '* item **x**\n'.repeat(count),
  'of one table': (count) => `| a | b |\n| - | - |\n${'| c **d** | e |\n'.repeat(count)}`,
  'of one block of code': (count) => `\`\`\`js\n${'const a = 1; // b\n'.repeat(count)}\`\`\``,
  'of formulas': (count) => 'x $$a^2$$ '.repeat(count),
};

describe('rendering in steps', () => {
  it.each(Object.entries(LONG))('has steps in proportion to a page %s', (_, bodyOf) => {
    const small = steps(bodyOf(600));
    const large = steps(bodyOf(2400));
    expect(small.count).toBeGreaterThan(3);
    expect(large.count / small.count).toBeGreaterThan(3);
    expect(large.count / small.count).toBeLessThan(5);
  });

  it('renders the same as at once', () => {
    const body = LONG['of many blocks']?.(500) ?? '';
    expect(steps(body).html).toBe(renderHtml(parseDocument(body)).html);
  });

  it('renders any depth', () => {
    let block = parseDocument('* a').nodes[0];
    for (let depth = 0; depth < 1000; depth++) {
      block = { object: 'block', type: 'blockquote', nodes: block ? [block] : [] };
    }
    const { html } = renderHtml({ object: 'document', nodes: block ? [block] : [] });
    expect(html.match(/<blockquote>/g)).toHaveLength(1000);
  });
});
