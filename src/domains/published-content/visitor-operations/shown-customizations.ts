import { refKey } from '../../../content-engine/evaluation/index.ts';
import type { Context } from '../../../platform/api/context.ts';
import { resolveInOtherSpaces } from '../../../site/read/pages/other-spaces.ts';
import { resolveRefs, type Refs } from '../../../site/read/pages/resolve-refs.ts';
import { settingRefs } from '../../../site/serve/view/setting-refs.ts';
import type { Customization, LinkTarget } from '../../customization/index.ts';
import { mayRead } from '../../visitors/index.ts';
import { readCustomizations } from '../customizations.ts';
import type { SiteVisit } from '../visit.ts';

type IsShown = (to: LinkTarget) => boolean;

/**
 * The settings of the site and of the site spaces that the visitor may read, without what its pages hide from them: links with
 * a condition that fails, links to what they may not read, and an announcement that is switched off.
 */
export async function shownCustomizations(ctx: Context, visit: SiteVisit) {
  const { reader } = visit;
  const ids = reader.siteSpaces.map(({ id }) => id);
  const { site, siteSpaces } = await readCustomizations(ctx, reader.site.id, ids);
  const all = new Set([site, ...Object.values(siteSpaces)]);
  const isShown = await targetsFor(visit, [...all].flatMap(settingRefs));
  const shown = new Map([...all].map((each) => [each, shownTo(visit, each, isShown)]));
  return {
    site: shown.get(site),
    siteSpaces: Object.fromEntries(Object.entries(siteSpaces).map(([id, each]) => [id, shown.get(each)])),
  };
}

/** Resolved once for all settings: they name the space of each link, so that the place of the link makes no difference. */
async function targetsFor(visit: SiteVisit, refs: readonly LinkTarget[]): Promise<IsShown> {
  const { reader, addresses } = visit;
  const siteSpace = visit.siteSpace ?? reader.siteSpaces[0];
  if (!siteSpace) return ({ kind }) => kind === 'url';
  const from = { space: await reader.open(siteSpace), pageId: '' };
  const distinct = new Map(refs.map((ref) => [refKey(ref), ref])).values();
  const { entries } = await resolveInOtherSpaces(reader, addresses, from, distinct);
  const { targetOf }: Pick<Refs, 'targetOf'> = resolveRefs(reader, addresses, from, entries);
  return (to) => targetOf(to)?.href !== undefined;
}

function shownTo({ reader }: SiteVisit, settings: Customization, isShown: IsShown): Customization {
  const { header, footer, announcement } = settings;
  const { claims } = reader.visitor;
  const shownLinks = header.links.flatMap(({ condition, to, links, ...item }) => {
    if (!mayRead(condition, claims)) return [];
    const target = to && isShown(to) ? to : null;
    const below = links.filter((link) => isShown(link.to));
    return target || below.length > 0 ? [{ ...item, to: target, links: below }] : [];
  });
  const groups = footer.groups.map(({ title, links }) => ({
    title,
    links: links.filter(({ to }) => isShown(to)),
  }));
  const { link, ...announced } = announcement ?? {};
  return {
    ...settings,
    header: { ...header, links: shownLinks },
    footer: { ...footer, groups },
    announcement: announcement?.enabled
      ? ({ ...announced, ...(link && isShown(link.to) && { link }) } as Customization['announcement'])
      : undefined,
  };
}
