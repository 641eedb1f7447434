import type { AttributeName, ElementName } from './vocabulary.ts';

/**
 * HTML before it is serialised. A string is text, never markup: `serialise.ts` escapes it. A function is a part that is
 * rendered when the parts before it have been written: the limit of the length then ends the rendering of a document, too, and
 * deep nesting needs no deep calls.
 */
export type HtmlNode = string | HtmlElement | readonly HtmlNode[] | (() => HtmlNode) | undefined;

export type AttributeValue = string | number | boolean | undefined;

export interface HtmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, AttributeValue>>;
  readonly children: readonly HtmlNode[];
}

export type Attributes<Name extends ElementName> = {
  readonly [Attribute in AttributeName<Name>]?: AttributeValue;
};

export const element = <Name extends ElementName>(
  name: Name,
  attributes: Attributes<Name> = {},
  ...children: readonly HtmlNode[]
): HtmlElement => ({ name, attributes, children });
