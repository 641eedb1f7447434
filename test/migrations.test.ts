import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PACKAGE_ROOT } from '../src/platform/version.ts';
import { aDatabase } from './databases.ts';

/** Migrations of existing data, in a separate schema. */

const FOLDER = path.join(PACKAGE_ROOT, 'migrations');
const names = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.sql'))
  .toSorted();
let client: pg.Client;

beforeAll(async () => {
  client = new pg.Client(await aDatabase());
  await client.connect();
  await client.query('create schema earlier; set search_path to earlier');
});

afterAll(() => client.end());

async function migrate(from: string, before: string): Promise<void> {
  for (const name of names.filter((each) => each >= from && each < before))
    await client.query(readFileSync(path.join(FOLDER, name), 'utf8'));
}

const rows = async (text: string) => (await client.query(text)).rows as Record<string, unknown>[];

test('access: invitations get a creator and an expiry, and every row its position in the tree', async () => {
  await migrate('', '2026-11-15T1200');
  await client.query(`
    insert into users (id, display_name, email, email_proven_at) values
      ('admin', 'Admin', 'admin@a.example', now()), ('left', 'Left', 'left@a.example', null);
    insert into organizations (id, title) values ('o', 'Organization');
    insert into members (organization_id, user_id, role) values ('o', 'admin', 'admin');
    insert into invites (id, organization_id, kind, email, invited_by, expires_at) values
      ('link', 'o', 'link', null, 'admin', null), ('of-left', 'o', 'link', null, 'left', null),
      ('of-none', 'o', 'email', 'x@a.example', null, now()), ('mail', 'o', 'email', 'y@a.example', 'admin', now());
    insert into collections (id, organization_id, parent_id, path, title, position) values
      ('c1', 'o', null, '{c1}', 'Outer', 'a1'), ('c2', 'o', 'c1', '{c1,c2}', 'Inner', 'a0');
    insert into spaces (id, organization_id, store_id, parent_id, title, position, revision_id) values
      ('s1', 'o', 'o', null, 'First', 'a0', 'r1'), ('s2', 'o', 'o', 'c2', 'Deep', 'a2', 'r2');
    insert into revisions (id, space_id, type, sequence) values ('r1', 's1', 'edits', 1), ('r2', 's2', 'edits', 1);`);
  await migrate('2026-11-15T1200', '2026-11-15T1201');
  expect(
    await rows(
      `select id, is_mailed, expires_at > now() + interval '29 days' as lasts from invites order by id`,
    ),
  ).toEqual([
    { id: 'link', is_mailed: false, lasts: true },
    { id: 'mail', is_mailed: false, lasts: false },
  ]);
  expect(
    await rows('select id, place from collections union all select id, place from spaces order by place'),
  ).toEqual([
    { id: 's1', place: 'a0' },
    { id: 'c1', place: 'a1' },
    { id: 'c2', place: 'a1/a0' },
    { id: 's2', place: 'a1/a0/a2' },
  ]);
  // An address may be claimed again, but not verified twice.
  const claim = (id: string, proven: string) =>
    client.query(
      `insert into users (id, display_name, email, email_proven_at) values ('${id}', 'X', 'admin@a.example', ${proven})`,
    );
  await claim('claims', 'null');
  await expect(claim('second', 'now()')).rejects.toThrow(/users_proven_email_unique/);
});
