import { isDark } from './theme.ts';

const COLOURS = ['paper', 'text', 'control', 'accent-tint', 'accent-line', 'sunken', 'raised'] as const;

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
    frame.contentWindow?.postMessage(
      { code: frames.get(frame), isDark: isDark(), colours: pageColours() },
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
    for (const frame of frames.keys()) {
      if (event.source !== frame.contentWindow) continue;
      const isDrawn = event.data === 'drawn';
      frame.parentElement?.classList.toggle('drawn', isDrawn);
      // An invisible frame must not get the focus.
      frame.previousElementSibling?.toggleAttribute('tabindex', !isDrawn);
    }
  });
}

/** The colours of the page by name. The library knows no modern colour functions, so one pixel of each is read. */
function pageColours(): Record<string, string> {
  const probe = document.createElement('i');
  document.body.append(probe);
  const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', {
    willReadFrequently: true,
  });
  const colours = COLOURS.map((name): [string, string] => {
    probe.style.color = `var(--${name})`;
    if (!canvas) return [name, '#888'];
    canvas.fillStyle = getComputedStyle(probe).color;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue] = canvas.getImageData(0, 0, 1, 1).data;
    return [name, `rgb(${red}, ${green}, ${blue})`];
  });
  probe.remove();
  return Object.fromEntries(colours);
}
