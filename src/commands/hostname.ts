import {
  activate,
  deleteHostname,
  findSite,
  insertHostname,
  listAllHostnames,
  lockReplaced,
  type Replaced,
} from '../domains/custom-hostnames/index.ts';
import { administer } from './administer.ts';
import { CommandError, type Command } from './command.ts';
import { table } from './table.ts';

const IS_HOSTNAME = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

export const activateHostname: Command = {
  name: 'hostname activate',
  summary:
    'Serve a site at a hostname, if you know that it belongs to the owner of the site. No DNS record is needed.',
  options: { site: 'id of the site' },
  required: ['site'],
  flags: { force: 'also if the hostname shows another site, or the site has another hostname' },
  arguments: ['hostname'],
  async run({ hostname: given = '', site = '', force }, output) {
    const hostname = given.toLowerCase();
    if (!IS_HOSTNAME.test(hostname) || hostname.length > 253)
      throw new CommandError(`"${given}" is not a hostname, such as docs.example.com.`);
    await administer(async (db) => {
      if (!(await findSite(db, site))) throw new CommandError(`There is no site ${site}.`);
      const replaced = await lockReplaced(db, site, hostname);
      if (replaced && force === undefined) throw new CommandError(refusalOf(replaced, site, hostname));
      const id = await insertHostname(db, site, hostname);
      await activate(db, { id, siteId: site, hostname }, 'operator');
    });
    output.result({ hostname, site, isActive: true }, `${hostname} shows site ${site}.`);
  },
};

function refusalOf(replaced: Replaced, site: string, hostname: string): string {
  const shown = `${replaced.site_id} ("${replaced.title}")`;
  return replaced.hostname === hostname
    ? `${hostname} shows site ${shown}. Nothing was changed. To show site ${site} there instead, add --force.`
    : `Site ${shown} has the hostname ${replaced.hostname}. Nothing was changed. To replace it, add --force.`;
}

export const removeHostname: Command = {
  name: 'hostname delete',
  summary: 'Delete a hostname, for all sites that ask for it.',
  options: {},
  arguments: ['hostname'],
  async run({ hostname = '' }, output) {
    const name = hostname.toLowerCase();
    const removed = await administer(async (db) => {
      const rows = (await listAllHostnames(db)).filter((row) => row.hostname === name);
      for (const { id } of rows) await deleteHostname(db, id);
      return rows.length;
    });
    if (removed === 0) throw new CommandError(`No site asks for ${name}.`);
    output.result({ hostname: name, removed }, `${name} is deleted.`);
  },
};

export const listHostnames: Command = {
  name: 'hostname list',
  summary: 'List the hostnames that sites have or ask for.',
  options: {},
  async run(_given, output) {
    const rows = await administer(listAllHostnames);
    const values = rows.map((row) => ({
      hostname: row.hostname,
      site: row.site_id,
      title: row.title,
      provenBy: row.proven_by,
    }));
    output.result(
      values,
      table(
        ['hostname', 'site', 'title', 'proven by'],
        values.map((row) => [row.hostname, row.site, row.title, row.provenBy ?? 'not active']),
      ),
    );
  },
};
