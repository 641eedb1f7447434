/** Escaped HTML. Every other value in a template is escaped. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export function html(strings: TemplateStringsArray, ...values: readonly (string | number | Html)[]): Html {
  const parts = strings.map((text, index) => {
    const value = values[index];
    return value === undefined
      ? text
      : text + (value instanceof Html ? value.text : escapeHtml(String(value)));
  });
  return new Html(parts.join(''));
}

/** The one escaping function: for text and for attributes in quotes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** A small page of the service itself: no script, nothing from other hosts, light and dark. */
export const plainPage = (title: string, content: Html): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <style>
          :root {
            color-scheme: light dark;
            --accent: #3457d5;
          }
          body {
            font:
              17px/1.6 system-ui,
              sans-serif;
            max-width: 34rem;
            margin: 12vh auto 4rem;
            padding: 0 1.5rem;
          }
          h1 {
            font-size: 1.7rem;
            line-height: 1.25;
            margin: 0 0 1rem;
          }
          label {
            display: block;
            margin: 1rem 0 0.25rem;
            font-weight: 600;
          }
          input {
            font: inherit;
            width: 100%;
            box-sizing: border-box;
            padding: 0.55rem 0.7rem;
            border: 1px solid #8888;
            border-radius: 0.4rem;
          }
          button {
            font: inherit;
            font-weight: 600;
            margin-top: 1.25rem;
            padding: 0.6rem 1.2rem;
            border: 0;
            border-radius: 0.4rem;
            background: var(--accent);
            color: #fff;
            cursor: pointer;
          }
          a {
            color: var(--accent);
          }
          @media (prefers-color-scheme: dark) {
            a {
              color: #9db2ff;
            }
          }
          code {
            font:
              0.92em ui-monospace,
              monospace;
            overflow-wrap: anywhere;
            background: #8882;
            padding: 0.15em 0.4em;
            border-radius: 0.3em;
          }
          pre {
            background: #8882;
            padding: 0.9rem 1rem;
            border-radius: 0.5rem;
            white-space: pre-wrap;
          }
          pre code {
            background: none;
            padding: 0;
          }
        </style>
      </head>
      <body>
        <main>${content}</main>
      </body>
    </html> `.text;
