/** The name of a colour that the style sheet may have a rule for; colours of the site are `$primary`, without the sign. */
export function colorName(color: string | undefined): string | undefined {
  const name = color?.replace('$', '') ?? 'default';
  return name !== 'default' && /^[a-z]{1,20}$/.test(name) ? name : undefined;
}
