/** Features of the HTML, for which the page around it must load something. */
export interface Features {
  readonly hasCode: boolean;
  readonly hasDiagrams: boolean;
  readonly hasFilters: boolean;
  /** Parts of OpenAPI specifications. */
  readonly hasApi: boolean;
  /** Buttons that open a form for requests. */
  readonly hasTryIt: boolean;
  /** Ids of symbols, such as `i-check`. */
  readonly symbols: readonly string[];
  /** The characters of its formulas, each once; undefined if it has none. */
  readonly mathCharacters: string | undefined;
}

export const featuresOf = (html: string): Features => ({
  hasCode: html.includes('<code'),
  hasDiagrams: html.includes('class="diagram'),
  hasFilters: html.includes(' data-filter'),
  hasApi: html.includes('<section class="api full"'),
  hasTryIt: html.includes(' data-try='),
  symbols: distinct(symbolsIn(html)),
  mathCharacters: mathCharactersIn(html),
});

export const symbolsIn = (html: string): string[] =>
  Array.from(html.matchAll(/<use href="#([in]-[a-z\d-]+)"/g), ([, id = '']) => id);

function mathCharactersIn(html: string): string | undefined {
  let characters: Set<string> | undefined;
  for (const [formula] of html.matchAll(/<math.*?<\/math>/gs)) {
    characters ??= new Set();
    for (const character of formula) characters.add(character);
  }
  return characters && [...characters].join('');
}

const distinct = (ids: Iterable<string>): string[] => [...new Set(ids)];
