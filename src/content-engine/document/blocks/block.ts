import type { Content, NodeShape } from '../check/node.ts';
import { flag, isObject, like, members, type Shape } from '../check/shape.ts';
import type { ContentRef } from '../refs.ts';

/** What a block shows or leads to, for places where only text is allowed. */
export type Shown = { readonly url: string } | { readonly ref: ContentRef } | { readonly text: string };

/** All that the engine knows of a type of block, without its forms in Markdown, HTML and Typst. */
export interface BlockDescription<Data = unknown, Holds extends Content = Content> extends NodeShape<
  Data,
  Holds
> {
  /** The places with a limited content in which the published schema allows it. */
  readonly places?: readonly Place[];
  /** The text of the block itself; `lines` are those of its inlines or lines of code. Absent: it has none. */
  ownText?(data: Partial<NoInfer<Data>>, lines: () => string[]): string | undefined;
  shows?(data: NoInfer<Data>): Shown;
  /** The data without members that mean the same as their absence. Absent: without those that are `false`. */
  meaningful?(data: Partial<NoInfer<Data>>): object;
}

export const block = <Data extends object, const Holds extends Content>(
  description: BlockDescription<Data, Holds>,
): BlockDescription<Data, Holds> => description;

/** Containers and fragments in which the published schema (version 0.143.2) allows certain blocks only. */
export const PLACES = [
  'hint',
  'blockquote',
  'list-item',
  'tabs-item',
  'stepper-step',
  'column',
  'expandable-body',
  'annotation-body',
] as const;
type Place = (typeof PLACES)[number];

export const IN_TABS = ['tabs-item', 'stepper-step', 'column'] as const;

export const fullWidth = { 'fullWidth?': flag };

export type Length = number | { unit: string; value: number };

/** A number as attributes spell it: no exponent, no sign. */
const amount: Shape<number> = (value, path) =>
  typeof value === 'number' && /^\d+(?:\.\d+)?$/.test(String(value))
    ? undefined
    : { path, rule: 'must be a number within the usual range' };
const measure = members({ value: amount, unit: like(/^[a-z%]*$/, 'must be a unit, such as %') });
export const length: Shape<Length> = (value, path) => (isObject(value) ? measure : amount)(value, path);

/** Markdown lists names in one attribute, separated by commas. */
export const name = like(/^[^,\s](?:[^,]*[^,\s])?$/, 'must be a name without commas');
