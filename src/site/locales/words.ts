/** Every word of the interface. `{}` is replaced by a value, see `fill`. */
export interface Words {
  readonly skip: string;
  readonly announcement: string;
  readonly site: string;
  readonly sections: string;
  readonly pages: string;
  readonly pagesUnder: string;
  readonly allPages: string;
  readonly contents: string;
  readonly breadcrumb: string;
  readonly outline: string;
  readonly menu: string;
  readonly variant: string;
  readonly theme: string;
  readonly links: string;

  readonly search: string;
  readonly searchPlaceholder: string;
  readonly searchIn: string;
  readonly searchHint: string;
  readonly results: string;
  readonly noResults: string;
  readonly noResultsHint: string;
  readonly searchFailed: string;
  readonly move: string;
  readonly open: string;
  readonly close: string;

  readonly copy: string;
  readonly copied: string;
  readonly copyPage: string;
  readonly pageActions: string;
  readonly markdown: string;
  readonly markdownNote: string;
  readonly openIn: string;
  readonly openInNote: string;
  /** The question that is handed to an assistant; `{}` is the address of the page. */
  readonly askAssistant: string;
  readonly mcp: string;
  readonly mcpNote: string;
  readonly pdf: string;
  readonly edit: string;
  readonly updated: string;
  readonly feed: string;

  readonly helpful: string;
  readonly yes: string;
  readonly no: string;
  readonly thanks: string;
  readonly comment: string;
  readonly send: string;
  readonly previous: string;
  readonly next: string;
  readonly pager: string;
  readonly trademark: string;
  readonly privacy: string;
  readonly diagram: string;
  readonly filter: string;

  readonly preview: string;
  readonly leavePreview: string;
  readonly notFound: string;
  readonly notFoundText: string;
  readonly tooLarge: string;
  readonly tooLargeText: string;
  readonly busy: string;
  readonly busyText: string;
  readonly home: string;
  readonly shareLink: string;
  readonly shareLinkText: string;
  readonly signInTitle: string;
  readonly signInText: string;
  readonly signIn: string;
}

export const fill = (text: string, value: string | number): string => text.replace('{}', () => String(value));
