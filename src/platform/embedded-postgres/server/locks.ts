import type { Client } from 'pg';
import { isAlive } from './process-identity.ts';
import { StartError } from '../start-error.ts';

/**
 * Every process that uses the database holds IN_USE shared; the serving one also holds SERVING exclusively. A process that
 * leaves tries to get IN_USE exclusively and, if it does, stops the postmaster: no other can enter in between.
 */
const IN_USE = '20035, 1';
const SERVING = '20035, 2';

export class AnotherServerRuns extends StartError {}

/** The name in pg_stat_activity of a connection that holds locks. */
export function sessionName(exclusive: boolean): string {
  return `octavo ${exclusive ? 'serve' : 'command'} ${process.pid}`;
}

/** False if the database is being stopped. */
export function enter(client: Client): Promise<boolean> {
  return ask(client, `select pg_try_advisory_lock_shared(${IN_USE}) as answer`);
}

export function claimServing(client: Client): Promise<boolean> {
  return ask(client, `select pg_try_advisory_lock(${SERVING}) as answer`);
}

/** True if no other process uses the database; others cannot enter until the connection ends. */
export async function leave(client: Client): Promise<boolean> {
  await client.query('select pg_advisory_unlock_all()');
  return ask(client, `select pg_try_advisory_lock(${IN_USE}) as answer`);
}

/** The serving process. It may have ended already, if its connection was not closed yet. */
export async function findServer(client: Client): Promise<{ pid: number; isAlive: boolean } | undefined> {
  const { rows } = await client.query<{ name: string }>(
    `select application_name as name from pg_locks join pg_stat_activity using (pid)
      where locktype = 'advisory' and granted and (classid, objid) = (${SERVING})
        and database = (select oid from pg_database where datname = current_database())`,
  );
  const pid = Number(rows[0]?.name.split(' ').at(-1));
  return pid > 0 ? { pid, isAlive: isAlive(pid) } : undefined;
}

async function ask(client: Client, question: string): Promise<boolean> {
  const { rows } = await client.query<{ answer: boolean }>(question);
  return rows[0]?.answer === true;
}
