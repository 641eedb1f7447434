const MENUS = 'details.drawer, details.outline';

/** Escape, a press outside and a followed link close the menus of narrow screens; the tree shows the current page. */
export function improveMenus(): void {
  const menus = [...document.querySelectorAll<HTMLDetailsElement>(MENUS)];
  document.addEventListener('keydown', (event) => {
    const open = event.key === 'Escape' && menus.find((menu) => menu.open && isMenu(menu));
    if (!open) return;
    open.open = false;
    open.querySelector('summary')?.focus();
  });
  document.addEventListener('click', (event) => {
    const target = event.target as Element;
    for (const menu of menus)
      if (menu.open && isMenu(menu) && (!menu.contains(target) || target.closest('a'))) menu.open = false;
  });
  // The menu is as high as the screen below the header: the announcement above is scrolled out of view.
  const drawer = document.querySelector<HTMLDetailsElement>('.drawer');
  drawer?.addEventListener('toggle', () => {
    const bars = drawer.open && isMenu(drawer) && drawer.parentElement;
    if (!bars) return;
    const header = Number.parseFloat(getComputedStyle(bars).insetBlockStart) || 0;
    scrollBy({ top: Math.max(0, bars.getBoundingClientRect().top - header), behavior: 'instant' });
  });
  const wide = matchMedia('(width >= 64rem)');
  // Where the style sheet cannot show a closed element, the tree is opened on wide screens.
  if (!CSS.supports('selector(::details-content)'))
    for (const menu of menus) menu.open = wide.matches && (menu.className === 'drawer' || innerWidth >= 1280);
  const current = drawer?.querySelector<HTMLElement>('[aria-current="page"]');
  if (drawer && current && wide.matches) {
    const { top, bottom } = current.getBoundingClientRect();
    const frame = drawer.getBoundingClientRect();
    if (bottom > frame.bottom - 40) drawer.scrollTop += top - frame.top - frame.height / 3;
  }
}

/** Whether it is a menu at this width: its summary is shown then. */
const isMenu = (menu: HTMLDetailsElement): boolean =>
  (menu.querySelector('summary')?.getClientRects().length ?? 0) > 0;
