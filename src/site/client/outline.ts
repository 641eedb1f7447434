/** Marks the heading that is read, where the style sheet cannot (`scroll-target-group`). */
export function markOutline(): void {
  if (CSS.supports('scroll-target-group', 'auto')) return;
  const links = [...document.querySelectorAll<HTMLAnchorElement>('.outline li a')];
  const headings = links.flatMap(
    (link) => document.getElementById(decodeURIComponent(link.hash.slice(1))) ?? [],
  );
  if (headings.length === 0) return;
  let frame = 0;
  const mark = (): void => {
    frame = 0;
    const limit = innerHeight / 4;
    const current =
      headings.findLast((heading) => heading.getBoundingClientRect().top < limit) ?? headings[0];
    for (const link of links)
      if (decodeURIComponent(link.hash.slice(1)) === current?.id) link.setAttribute('aria-current', 'true');
      else link.removeAttribute('aria-current');
  };
  addEventListener('scroll', () => (frame ||= requestAnimationFrame(mark)), { passive: true });
  mark();
}
