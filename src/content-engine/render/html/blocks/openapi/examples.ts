import { exampleRequest, snippetsOf, type OperationView } from '../../../../openapi/index.ts';
import { shorten } from '../../../../shorten.ts';
import { highlight } from '../../../../highlight/index.ts';
import type { Context } from '../../context.ts';
import { element, type HtmlNode } from '../../node.ts';
import { codeFigure, tokenOf } from '../code.ts';
import { toneOf } from './sections.ts';

/** Requests in several languages, and responses: beside the text where there is room. */
export function examples(context: Context, view: OperationView): HtmlNode {
  const requests = requestsOf(context, view);
  const answers = answersOf(view);
  if (requests.length === 0 && answers.length === 0) return undefined;
  return [tabs(context, requests), tabs(context, answers)];
}

interface Example {
  readonly label: string;
  readonly tone?: string;
  readonly language: string;
  readonly source: string;
}

function requestsOf({ words }: Context, view: OperationView): Example[] {
  if (view.kind === 'webhook')
    return (view.body?.contents[0]?.examples ?? []).map(({ name, text }) => ({
      label: name || words.payload,
      language: 'json',
      source: text,
    }));
  if (view.hidesSamples) return [];
  const own = view.samples.map(({ label, language, source }) => ({
    label,
    language: language.toLowerCase(),
    source,
  }));
  return own.length > 0 ? own : snippetsOf(exampleRequest(view));
}

const MAX_ANSWERS = 12;

const answersOf = (view: OperationView): Example[] =>
  view.responses
    .filter(({ hidesSample }) => !hidesSample)
    .flatMap(({ status, contents }) =>
      contents.slice(0, 1).flatMap(({ mediaType, examples: all }) =>
        all.map(({ name, text }) => ({
          label: all.length === 1 ? status : `${status} ${shorten(name, 24)}`,
          tone: toneOf(status),
          language: mediaType.includes('xml') ? 'xml' : 'json',
          source: text,
        })),
      ),
    )
    .slice(0, MAX_ANSWERS);

/** As the tabs of content: `details` of one name. */
function tabs(context: Context, all: readonly Example[]): HtmlNode {
  if (all.length === 0) return undefined;
  context.page.needs.add('tabs');
  const name = context.page.newId('tabs');
  return element(
    'div',
    { class: 'tabs' },
    all.map(
      (one, index) => () =>
        element(
          'details',
          { name, open: index === 0 },
          element(
            'summary',
            one.tone === undefined ? {} : { 'data-tone': one.tone, class: 'status' },
            one.label,
          ),
          element('div', { class: 'panel flow' }, codeOf(context, one)),
        ),
    ),
  );
}

export function codeOf(
  context: Context,
  { language, source }: Pick<Example, 'language' | 'source'>,
): HtmlNode {
  const tokens = highlight(source.split('\n'), language);
  return codeFigure(context, {
    title: '',
    icon: 'file',
    className: 'code',
    preClass: ['tall'],
    language,
    content: tokens.map((line) => () => element('span', { class: 'line' }, line.map(tokenOf), '\n')),
  });
}
