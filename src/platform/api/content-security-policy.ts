/** Sources by directive. */
export type ContentSecurityPolicy = Readonly<Record<string, readonly string[]>>;

/** No scripts, nothing from another host. A page that needs more spreads it and adds directives. */
export const STRICT_POLICY = {
  'default-src': ["'none'"],
  'style-src': ["'unsafe-inline'"],
  'img-src': ["'self'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
  'base-uri': ["'none'"],
} as const satisfies ContentSecurityPolicy;

/** Ends a source: what follows would be another directive, or another policy. Hosts of URLs may contain `;` and `,`. */
const SEPARATOR = /[\s;,]/;

/** The value of the header. */
export const policyText = (policy: ContentSecurityPolicy): string =>
  Object.entries(policy)
    .map(([directive, sources]) => [directive, ...sources.filter((each) => !SEPARATOR.test(each))].join(' '))
    .join('; ');
