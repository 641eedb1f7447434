import { badRequest } from '../../platform/api/errors.ts';
import { requireCondition } from '../visitors/index.ts';
import type { CustomizationPatch, LinkTarget } from './schema.ts';

/**
 * Checks the conditions of a request, and names the space of every link: a page id alone has no meaning in a site with
 * several spaces. `ownSpace` is the space that a link without one belongs to.
 */
export function completeLinks<C extends CustomizationPatch>(given: C, ownSpace: string | undefined): C {
  const { header, footer, announcement } = given;
  return {
    ...given,
    ...(header?.links ? { header: { ...header, links: header.links.map(completeItem) } } : {}),
    ...(footer?.groups ? { footer: { ...footer, groups: footer.groups.map(completeGroup) } } : {}),
    ...(announcement?.link
      ? { announcement: { ...announcement, link: completed(announcement.link, 'body.announcement.link') } }
      : {}),
  };

  type Item = NonNullable<NonNullable<NonNullable<C['header']>['links']>>[number];
  function completeItem(item: Item, index: number): Item {
    const path = `body.header.links[${index}]`;
    requireCondition(item.condition, `${path}.condition`);
    const links = item.links.map((link, at) => completed(link, `${path}.links[${at}]`));
    return { ...item, to: item.to && target(item.to, `${path}.to`), links };
  }

  type FooterGroup = NonNullable<NonNullable<NonNullable<C['footer']>['groups']>>[number];
  function completeGroup(group: FooterGroup, index: number): FooterGroup {
    const links = group.links.map((link, at) => completed(link, `body.footer.groups[${index}].links[${at}]`));
    return { ...group, links };
  }

  function completed<L extends { readonly to: LinkTarget }>(link: L, path: string): L {
    return { ...link, to: target(link.to, `${path}.to`) };
  }

  function target(to: LinkTarget, path: string): LinkTarget {
    if (to.kind === 'url' || to.kind === 'space' || to.space !== undefined) return to;
    if (ownSpace === undefined) {
      throw badRequest(`The link (${path}) needs the id of the space that has the ${to.kind}.`, [
        { path: `${path}.space`, rule: 'required: the site has no default space' },
      ]);
    }
    return { ...to, space: ownSpace };
  }
}
