import { escapeHtml, Html } from '../../platform/http/pages/html.ts';

export { Html };

/** `undefined` and `false` are nothing, so that an optional part is `condition && markup…`. */
export type Part = string | number | Html | readonly Part[] | undefined | false;

/** Line breaks of a template and the indentation after them are for its author: they are not sent. */
const trimmed = new WeakMap<TemplateStringsArray, readonly string[]>();

/**
 * Escapes every value that is not `Html` already. Not named `html`, so that the formatter leaves the templates alone: white
 * space between elements would be shown in some places and sent in all.
 */
export function markup(template: TemplateStringsArray, ...values: readonly Part[]): Html {
  let strings = trimmed.get(template);
  if (!strings) {
    strings = template.map((text) => text.replaceAll(/\n\s*/g, ''));
    trimmed.set(template, strings);
  }
  let text = strings[0] as string;
  for (const [index, value] of values.entries()) text += textOf(value) + (strings[index + 1] as string);
  return new Html(text);
}

/** Markup that the content engine or this folder has rendered. */
export const rendered = (text: string): Html => new Html(text);

/**
 * Not in a tagged template: the compiler would replace this text with a call of a helper that the program does not
 * contain.
 */
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
