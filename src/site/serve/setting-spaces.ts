import type { Customization, LinkTarget } from '../../domains/customization/index.ts';

type LinkSettings = Pick<Customization, 'header' | 'footer' | 'announcement'>;

/** The spaces that links of the settings lead to. */
export function settingSpaces({ header, footer, announcement }: LinkSettings): Set<string> {
  const targets: (LinkTarget | null | undefined)[] = [
    ...header.links.flatMap(({ to, links }) => [to, ...links.map((link) => link.to)]),
    ...footer.groups.flatMap(({ links }) => links.map(({ to }) => to)),
    announcement?.link?.to,
  ];
  return new Set(targets.flatMap((target) => (target && 'space' in target ? (target.space ?? []) : [])));
}
