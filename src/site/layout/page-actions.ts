import { drawing } from '../icons/icon.ts';
import { fill } from '../locales/index.ts';
import type { PageView } from '../model.ts';
import { markup, type Html } from './markup.ts';
import { linkAttributes, menu, menuEntry, type View } from './view.ts';

const ASSISTANTS = [
  { name: 'ChatGPT', href: 'https://chatgpt.com/?hints=search&q=' },
  { name: 'Claude', href: 'https://claude.ai/new?q=' },
] as const;

/** Actions with the text of the page. Copying needs the script; without it the button leads to the text. */
export function pageActions(view: View, page: PageView): Html | false {
  const { words, site } = view;
  const { pageActions: settings } = site.customization;
  const markdown = settings.markdown ? page.markdownHref : undefined;
  const entries = [
    ...(markdown
      ? [menuEntry(linkAttributes(view, markdown), drawing('page'), words.markdown, words.markdownNote)]
      : []),
    ...(settings.externalAI && page.head.canonical ? assistants(view, page.head.canonical) : []),
    ...(settings.mcp && page.mcpHref
      ? [menuEntry(linkAttributes(view, page.mcpHref), drawing('link'), words.mcp, words.mcpNote)]
      : []),
  ];
  if (entries.length === 0) return false;
  const button = { classes: 'button small icon', label: words.pageActions, content: drawing('down') };
  const copy =
    markdown &&
    markup`
      <a class="copy button small" data-copy-page${linkAttributes(view, markdown)}>
        ${drawing('copy')}${drawing('check')}<span>${words.copyPage}</span>
      </a>`;
  return markup`<div class="split">${copy}${menu('~actions', button, 'pop end', entries)}</div>`;
}

const assistants = (view: View, address: string): Html[] =>
  ASSISTANTS.map(({ name, href }) =>
    menuEntry(
      linkAttributes(view, href + encodeURIComponent(fill(view.words.askAssistant, address).toWellFormed())),
      drawing('out', 'flip'),
      fill(view.words.openIn, name),
      view.words.openInNote,
    ),
  );
