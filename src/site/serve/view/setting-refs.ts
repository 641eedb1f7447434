import type { Customization, LinkTarget } from '../../../domains/customization/index.ts';

type LinkSettings = Pick<Customization, 'header' | 'footer' | 'announcement'>;

export const settingRefs = ({ header, footer, announcement }: LinkSettings): LinkTarget[] => [
  ...header.links.flatMap(({ to, links }) => [...(to ? [to] : []), ...links.map((link) => link.to)]),
  ...footer.groups.flatMap(({ links }) => links.map(({ to }) => to)),
  ...(announcement?.link ? [announcement.link.to] : []),
];
