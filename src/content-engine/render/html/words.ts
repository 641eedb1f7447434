import { ENGLISH_API, type ApiWords } from './api-words.ts';

/** The words that the renderer adds to content. `{…}` is replaced. */
export interface Words extends ApiWords {
  readonly info: string;
  readonly success: string;
  readonly warning: string;
  readonly danger: string;
  readonly copy: string;
  /** `{title}` */
  readonly copyTitle: string;
  /** `{count}` */
  readonly showLines: string;
  readonly done: string;
  readonly toDo: string;
  readonly yes: string;
  readonly no: string;
  /** `{value}`, `{max}` */
  readonly rating: string;
  readonly table: string;
  /** `{number}` */
  readonly tab: string;
  readonly prompt: string;
  readonly linkToSection: string;
  readonly footnote: string;
  readonly missingImage: string;
  readonly missingPage: string;
  readonly missingFile: string;
  /** `{host}` */
  readonly showEmbed: string;
}

export const ENGLISH: Words = {
  info: 'Info',
  success: 'Success',
  warning: 'Warning',
  danger: 'Danger',
  copy: 'Copy code',
  copyTitle: 'Copy {title}',
  showLines: 'Show all {count} lines',
  done: 'Done',
  toDo: 'To do',
  yes: 'Yes',
  no: 'No',
  rating: '{value} of {max}',
  table: 'Table',
  tab: 'Tab {number}',
  prompt: 'Prompt',
  linkToSection: 'Link to this section',
  footnote: 'Footnote',
  missingImage: 'Missing image',
  missingPage: 'Missing page',
  missingFile: 'Missing file',
  showEmbed: 'Show content of {host}',
  ...ENGLISH_API,
};

export const fill = (template: string, values: Readonly<Record<string, string | number>>): string =>
  template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
