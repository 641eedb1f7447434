import { eachBlock, summaryOf, type JSONDocument } from '../../document/index.ts';
import { parsePage, refKey, type PageSource } from '../../evaluation/index.ts';
import { featuresOf, type Features } from './features.ts';
import type { HtmlBody, HtmlFile, HtmlOptions, Target } from './options.ts';
import { renderHtml } from './render.ts';

/** What the page around the body says of its document. */
export interface PageFacts {
  readonly summary: string | undefined;
  /** Whether it has a changelog, and therefore a feed. */
  readonly hasUpdates: boolean;
}

/** A page, and what the renderer must know beside it: values instead of the functions of `HtmlOptions`. */
export interface RenderInput {
  readonly source: PageSource;
  /** By `refKey`. */
  readonly targets: ReadonlyMap<string, Target>;
  readonly files: ReadonlyMap<string, HtmlFile>;
  /** Addresses by name. */
  readonly icons: ReadonlyMap<string, string>;
  /** The address of the search page, up to the query. */
  readonly searchHref: string;
  readonly options: Pick<HtmlOptions, 'externalLinks' | 'locale' | 'words'>;
}

/** The HTML as bytes, which a thread hands over without a copy. */
export interface RenderedPage extends Omit<HtmlBody, 'html' | 'needs' | 'icons'>, PageFacts {
  readonly html: Uint8Array;
  readonly features: Features;
}

export function renderSource({
  source,
  targets,
  files,
  icons,
  searchHref,
  options,
}: RenderInput): RenderedPage {
  const { document, contentOf } = parsePage(source);
  const { html, outline, frames } = renderHtml(document, {
    ...options,
    targetOf: (ref) => targets.get(refKey(ref)),
    fileOf: (ref) => files.get(refKey(ref)),
    reusableContentOf: contentOf,
    actionHref: (_action, query) => searchHref + encodeURIComponent(query),
    iconHref: (name) => icons.get(name),
  });
  return {
    html: new TextEncoder().encode(html),
    outline,
    frames,
    features: featuresOf(html),
    ...factsOf(document),
  };
}

export const factsOf = (document: JSONDocument): PageFacts => ({
  summary: summaryOf(document),
  hasUpdates: hasUpdates(document),
});

function hasUpdates({ nodes }: JSONDocument): boolean {
  let found = false;
  eachBlock(nodes, ({ type }) => {
    found ||= type === 'updates';
  });
  return found;
}
