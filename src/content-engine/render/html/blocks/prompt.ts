import { documentOfBlocks, plainText, type PromptBlock } from '../../../document/index.ts';
import { codeFigure } from './code.ts';
import type { Renderer } from '../context.ts';
import { element } from '../node.ts';

/** Lines of a prompt that is partly folded. */
const PARTIAL_LINES = 4;

/** A prompt is text to copy: it is shown as it will be pasted. */
export const prompt: Renderer<PromptBlock> = (context, { data = {}, nodes = [] }) => {
  context.page.needs.add('code');
  const lines = plainText(documentOfBlocks(nodes)).split('\n');
  const shown =
    data.defaultExpanded === 'hidden' ? 0 : data.defaultExpanded === 'partial' ? PARTIAL_LINES : lines.length;
  return codeFigure(context, {
    title: data.description || context.words.prompt,
    icon: data.icon ?? 'bolt',
    className: 'code prompt',
    content: lines.map((line, index) =>
      element('span', { class: index >= shown ? 'line rest' : 'line' }, line, '\n'),
    ),
    lines: lines.length > shown ? lines.length : undefined,
  });
};
