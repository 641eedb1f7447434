import { escapeHtml, Html } from '../../platform/http/html.ts';

export { Html };

/** `undefined` and `false` are nothing, so that an optional part is `condition && markup…`. */
export type Part = string | number | Html | readonly Part[] | undefined | false;

/**
 * Escapes every value that is not `Html` already. Not named `html`, so that the formatter keeps the white space: these
 * templates are written without any between elements, because every byte is sent to every reader.
 */
export function markup(strings: TemplateStringsArray, ...values: readonly Part[]): Html {
  let text = strings[0] as string;
  for (const [index, value] of values.entries()) text += textOf(value) + (strings[index + 1] as string);
  return new Html(text);
}

/** Markup that the content engine or this folder has rendered. */
export const rendered = (text: string): Html => new Html(text);

/** In a tagged template, the compiler would replace this text with a call of a helper that the program does not contain. */
export const SCRIPT_END = rendered('</script>');

/** Attributes with their values; `undefined` and `false` leave an attribute out, `true` is one without a value. */
export function attributes(values: Readonly<Record<string, string | number | boolean | undefined>>): Html {
  let text = '';
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === false) continue;
    text += value === true ? ` ${name}` : ` ${name}="${escapeHtml(String(value))}"`;
  }
  return new Html(text);
}

function textOf(part: Part): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Html) return part.text;
  if (Array.isArray(part)) return part.map(textOf).join('');
  return escapeHtml(String(part));
}
