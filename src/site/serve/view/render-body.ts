import {
  factsOf,
  renderHtml,
  type HtmlBody,
  type PageFacts,
} from '../../../content-engine/render/html/index.ts';
import type { JSONDocument } from '../../../content-engine/document/index.ts';
import type { DocumentPage } from '../../../content-engine/tree/index.ts';
import {
  reusableKey,
  withWrittenOperations,
  writtenParts,
} from '../../../content-engine/evaluation/index.ts';
import { runTaskInTurn } from '../../../domains/content-store/index.ts';
import { contentWordsOf, iconHref } from '../../index.ts';
import type { SiteView } from '../../model.ts';
import type { SiteAddresses } from '../../read/addresses.ts';
import type { OpenSpace } from '../../read/pages/open-space.ts';
import type { ReadPage } from '../../read/pages/read-page.ts';
import type { Refs } from '../../read/pages/resolve-refs.ts';

export interface RenderedBody extends Pick<
  HtmlBody,
  'html' | 'outline' | 'frames' | 'connects' | 'saysDescription'
> {
  readonly facts: PageFacts;
}

interface Around {
  readonly space: OpenSpace;
  readonly addresses: SiteAddresses;
  readonly refs: Refs;
  readonly site: SiteView;
  readonly page: DocumentPage;
}

export async function renderBody(read: ReadPage, around: Around): Promise<RenderedBody> {
  const { space, addresses, refs, site, page } = around;
  const { content, work } = read;
  const { locale } = site.customization.internationalization;
  const options = {
    externalLinks: site.customization.externalLinks.target,
    locale,
    words: contentWordsOf(locale),
  };
  const searchHref = addresses.own('search?q=');
  const { document, includedDocuments, openapi } = content;
  const { spaceId } = space.siteSpace;
  return runTaskInTurn(space, work, () => {
    const withOperations = (written: JSONDocument) =>
      withWrittenOperations(written, (ref) => refs.targetOf(ref)?.href);
    const shown = withOperations(document);
    const { html, outline, frames, connects, saysDescription } = renderHtml(shown, {
      ...options,
      targetOf: refs.targetOf,
      fileOf: refs.fileOf,
      reusableContentOf: (ref) => {
        const included = includedDocuments.get(reusableKey(spaceId, ref));
        return included && withOperations(included);
      },
      actionHref: (_action, query) => searchHref + encodeURIComponent(query),
      iconHref: (name) => iconHref(site, name),
      openapi: (block) => writtenParts(block) ?? openapi?.of(block),
      pageTitle: page.title,
      pageDescription: page.description,
    });
    return { html, outline, frames, connects, saysDescription, facts: factsOf(shown) };
  });
}
