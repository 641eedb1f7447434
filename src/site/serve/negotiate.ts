/** Whether a client asks for Markdown rather than HTML: agents name it, browsers do not. */
export function prefersMarkdown(accept: string | undefined): boolean {
  if (accept === undefined || !/text\/markdown/i.test(accept)) return false;
  return (
    qualityOf(accept, 'text/markdown') > 0 &&
    qualityOf(accept, 'text/markdown') >= qualityOf(accept, 'text/html')
  );
}

function qualityOf(accept: string, type: string): number {
  for (const entry of accept.split(',')) {
    const [name, ...parameters] = entry.split(';').map((part) => part.trim().toLowerCase());
    if (name !== type) continue;
    const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    return quality === undefined ? 1 : Number(quality) || 0;
  }
  return 0;
}

/** Browsers name it; programs that take anything do not. */
export const acceptsHtml = (accept: string | undefined): boolean => /text\/html/i.test(accept ?? '');
