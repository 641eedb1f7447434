/**
 * Names of what an answer depends on, for programs that keep it: in the header of the answer, and in the requests that tell
 * of a change. All answers of a site depend on the site: links, included content and conditions lead everywhere.
 */
export const tagsOf = (siteId: string, spaceId: string | null | undefined): string[] => [
  `site:${siteId}`,
  ...(spaceId ? [`space:${spaceId}`] : []),
];
