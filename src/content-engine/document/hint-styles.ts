import type { HintBlock } from './nodes.ts';

export type HintStyle = NonNullable<NonNullable<HintBlock['data']>['style']>;

/** Styles by the words that other programs use for them. */
export const HINT_STYLES: Readonly<Record<string, HintStyle>> = {
  note: 'info',
  info: 'info',
  information: 'info',
  important: 'info',
  seealso: 'info',
  abstract: 'info',
  example: 'info',
  question: 'info',
  primary: 'info',
  notice: 'info',
  new: 'info',
  tip: 'success',
  hint: 'success',
  success: 'success',
  check: 'success',
  warning: 'warning',
  warn: 'warning',
  caution: 'warning',
  attention: 'warning',
  deprecated: 'warning',
  danger: 'danger',
  error: 'danger',
  bug: 'danger',
  failure: 'danger',
};
