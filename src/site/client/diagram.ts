/** In the frame of a diagram: draws what the page sends. The frame has an opaque origin and may request nothing. */
declare const mermaid: {
  initialize(options: object): void;
  render(id: string, code: string): Promise<{ svg: string }>;
};

addEventListener('message', (event: MessageEvent<{ code: string; isDark: boolean; font: string }>) => {
  if (event.source !== parent) return;
  const { code, isDark, font } = event.data;
  document.documentElement.style.colorScheme = isDark ? 'dark' : 'light';
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    theme: isDark ? 'dark' : 'neutral',
    fontFamily: font || 'system-ui, sans-serif',
  });
  mermaid.render('diagram', code).then(
    ({ svg }) => {
      document.body.replaceChildren(...new DOMParser().parseFromString(svg, 'text/html').body.childNodes);
      const drawing = document.querySelector('svg');
      drawing?.removeAttribute('width');
      drawing?.removeAttribute('style');
      parent.postMessage('drawn', '*');
    },
    () => parent.postMessage('failed', '*'),
  );
});
