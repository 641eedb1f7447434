/** The text if it is one of the names, narrowed to them. */
export const oneOf = <const Name extends string>(
  text: string | undefined,
  names: readonly Name[],
): Name | undefined => names.find((name) => name === text);
