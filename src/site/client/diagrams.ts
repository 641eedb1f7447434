import { isDark } from './theme.ts';

/**
 * Diagrams are drawn in a frame, because the library writes styles that the policy of the page forbids, and because it is
 * two megabytes that only a reader of a diagram should load. The block has the same size before and after.
 */
export function showDiagrams(): void {
  const blocks = document.querySelectorAll<HTMLElement>('.diagram');
  const address = document.documentElement.dataset['diagram'];
  if (blocks.length === 0 || !address) return;
  const frames = new Map<HTMLIFrameElement, string>();
  const draw = (frame: HTMLIFrameElement): void => {
    const style = getComputedStyle(document.documentElement);
    const value = (name: string): string => style.getPropertyValue(name);
    frame.contentWindow?.postMessage(
      { code: frames.get(frame), isDark: isDark(), font: value('--font') },
      '*',
    );
  };
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        observer.unobserve(target);
        const frame = document.createElement('iframe');
        frame.src = address;
        frame.sandbox.add('allow-scripts');
        frame.title =
          (target as HTMLElement).dataset['title'] ?? document.documentElement.dataset['diagramTitle'] ?? '';
        frames.set(frame, target.querySelector('.mermaid')?.textContent ?? '');
        frame.addEventListener('load', () => draw(frame));
        target.append(frame);
      }
    },
    { rootMargin: '400px' },
  );
  for (const block of blocks) observer.observe(block);
  addEventListener('octavo-theme', () => {
    for (const frame of frames.keys()) draw(frame);
  });
  // The frame says when its drawing is there; until then, and if it fails, the source is shown.
  addEventListener('message', (event) => {
    for (const frame of frames.keys())
      if (event.source === frame.contentWindow)
        frame.parentElement?.classList.toggle('drawn', event.data === 'drawn');
  });
}
