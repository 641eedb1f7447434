/** Runs in the frame of a diagram, and draws what the page sends. The frame has an opaque origin and may request nothing. */
declare const mermaid: {
  initialize(options: object): void;
  render(id: string, code: string): Promise<{ svg: string }>;
};

interface Drawing {
  readonly code: string;
  readonly isDark: boolean;
  readonly colours: Readonly<Record<string, string>>;
}

/** Labels are text. By default the library also keeps pictures, media and forms, which only the policy would refuse. */
const LABEL_TAGS = ['b', 'br', 'code', 'em', 'i', 'p', 's', 'span', 'strong', 'sub', 'sup', 'u'];

addEventListener('message', (event: MessageEvent<Drawing>) => {
  if (event.source !== parent) return;
  const { code, isDark, colours } = event.data;
  document.documentElement.style.colorScheme = isDark ? 'dark' : 'light';
  mermaid.initialize({
    startOnLoad: false,
    securityLevel: 'strict',
    dompurifyConfig: { ALLOWED_TAGS: LABEL_TAGS, ALLOWED_ATTR: ['class'] },
    // Settings that the source of a diagram may not change.
    secure: ['secure', 'securityLevel', 'dompurifyConfig', 'startOnLoad', 'maxTextSize', 'maxEdges'],
    theme: 'base',
    fontFamily: 'system-ui, sans-serif',
    themeVariables: {
      darkMode: isDark,
      background: colours['paper'],
      primaryColor: colours['accent-tint'],
      primaryBorderColor: colours['accent-line'],
      primaryTextColor: colours['text'],
      secondaryColor: colours['sunken'],
      tertiaryColor: colours['raised'],
      lineColor: colours['control'],
      textColor: colours['text'],
    },
  });
  void draw(code);
});

async function draw(code: string): Promise<void> {
  try {
    const { svg } = await mermaid.render('diagram', code);
    document.body.replaceChildren(...new DOMParser().parseFromString(svg, 'text/html').body.childNodes);
    const drawing = document.querySelector('svg');
    drawing?.removeAttribute('width');
    drawing?.removeAttribute('style');
    parent.postMessage('drawn', '*');
  } catch {
    // Not a diagram: the page goes on showing the source.
    parent.postMessage('failed', '*');
  }
}
