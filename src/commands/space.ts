import { addressesOf } from '../addresses.ts';
import { readConfig } from '../config.ts';
import { listAllSpaces, siteUrl } from '../domains/spaces/index.ts';
import { administer } from './administer.ts';
import type { Command } from './command.ts';
import { table } from './table.ts';

export const listSpaces: Command = {
  name: 'space list',
  summary: 'List all spaces, and the URLs at which sites show them.',
  options: {},
  async run(_given, output) {
    const addresses = addressesOf(readConfig());
    const rows = await administer(listAllSpaces);
    const values = rows.map(({ publication, organizationTitle: _title, ...row }) => ({
      ...row,
      url: publication && siteUrl(addresses, publication, publication.segments),
    }));
    output.result(
      values,
      table(
        ['id', 'organization', 'title', 'published at'],
        values.map((row) => [row.id, row.organization, row.title, row.url ?? '']),
      ),
    );
  },
};
