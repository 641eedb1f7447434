import {
  factsOf,
  htmlBudget,
  renderHtmlInSlices,
  type Features,
  type HtmlBody,
  type HtmlFile,
  type PageFacts,
  type Target,
} from '../../content-engine/render/html/index.ts';
import { refKey, reusableKey } from '../../content-engine/evaluation/index.ts';
import { contentWordsOf, iconHref, iconNames } from '../index.ts';
import type { SiteView } from '../model.ts';
import type { SiteAddresses } from '../read/addresses.ts';
import type { OpenSpace } from '../read/open-space.ts';
import type { ReadPage } from '../read/read-page.ts';
import type { Refs } from '../read/resolve-refs.ts';

/** The body of a page as HTML. Of a large page, a thread made bytes of it. */
export interface RenderedBody extends Pick<HtmlBody, 'outline' | 'frames'> {
  readonly html: string | Uint8Array;
  /** Of bytes. */
  readonly features?: Features;
  readonly facts: PageFacts;
}

interface Around {
  readonly space: OpenSpace;
  readonly addresses: SiteAddresses;
  readonly refs: Refs;
  readonly site: SiteView;
}

export async function renderBody(read: ReadPage, around: Around): Promise<RenderedBody> {
  const { space, addresses, refs, site } = around;
  const { content, work } = read;
  const { locale } = site.customization.internationalization;
  const options = {
    externalLinks: site.customization.externalLinks.target,
    locale,
    words: contentWordsOf(locale),
  };
  const searchHref = addresses.own('search?q=');
  if ('document' in content) {
    const { document, includedDocuments } = content;
    const { spaceId } = space.siteSpace;
    const rendering = renderHtmlInSlices(document, {
      ...options,
      targetOf: refs.targetOf,
      fileOf: refs.fileOf,
      reusableContentOf: (ref) => includedDocuments.get(reusableKey(spaceId, ref)),
      actionHref: (_action, query) => searchHref + encodeURIComponent(query),
      iconHref: (name) => iconHref(site, name),
    });
    const { html, outline, frames } = await space.engine.inSlices(work.what, rendering);
    return { html, outline, frames, facts: factsOf(document) };
  }
  const { targets, files } = await space.engine.inSlices(work.what, resolveEach(read, refs));
  const used = [...read.references.icons, ...Array.from(targets.values(), ({ icon }) => icon ?? '')];
  const icons = new Map<string, string>();
  for (const name of [...iconNames, ...used]) {
    const href = iconHref(site, name);
    if (href !== undefined) icons.set(name, href);
  }
  const input = { source: content, targets, files, icons, searchHref, options };
  const { html, outline, frames, features, ...facts } = await space.engine.run('renderSource', input, work);
  return { html, outline, frames, features, facts };
}

/** A thread gets the values that the functions of `refs` have. Each of them is in the HTML at least once. */
function* resolveEach({ references }: ReadPage, refs: Refs) {
  const targets = new Map<string, Target>();
  const files = new Map<string, HtmlFile>();
  const budget = htmlBudget();
  for (const ref of references.refs) {
    const key = refKey(ref);
    const target = refs.targetOf(ref);
    if (target) targets.set(key, target);
    const file = ref.kind === 'file' || ref.kind === 'url' ? refs.fileOf(ref) : undefined;
    if (file) files.set(key, file);
    budget.spend(target?.href?.length ?? 0);
    yield;
  }
  return { targets, files };
}
