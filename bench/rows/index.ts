import type { Row } from '../row.ts';
import { commentRows } from './comments.ts';
import { contentRows } from './content.ts';
import { linkRows } from './links.ts';
import { organizationRows } from './organizations.ts';
import { searchRows } from './search.ts';
import { siteRows } from './sites.ts';
import { spaceRows } from './spaces.ts';
import { teamRows } from './teams.ts';
import { userRows } from './users.ts';

/** In this order: rows with many writes come after those that only read, in order not to slow them down. */
export const rows: readonly Row[] = [
  ...organizationRows,
  ...userRows,
  ...spaceRows,
  ...teamRows,
  ...siteRows,
  ...searchRows,
  ...linkRows,
  ...contentRows,
  ...commentRows,
];
