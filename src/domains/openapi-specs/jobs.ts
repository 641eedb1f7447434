import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import Type from 'typebox';
import { SpecificationError } from '../../content-engine/openapi/index.ts';
import { job, type Job, type JobContext } from '../../platform/jobs/job.ts';
import { READ_MS } from './limits.ts';
import { readSource } from './read-source.ts';
import { packParts } from './pack-parts.ts';
import { claimDue, completeSpec, failSpec, keepSpec, type ClaimedSpec } from './reading-store.ts';

const Nothing = Type.Object({});

/** Reads specifications with a new source, and again those with a URL. Enqueued with each new source. */
export const readSpecs: Job<typeof Nothing> = job({
  name: 'openapi.read',
  input: Nothing,
  cron: '* * * * *',
  async run(ctx) {
    const reading = new Set<Promise<void>>();
    for (;;) {
      for (const spec of await claimDue(ctx.db)) {
        const read = readSpec(ctx, spec)
          .catch((error: unknown) =>
            ctx.log.error({ err: error, specId: spec.id }, 'a specification was not read'),
          )
          .finally(() => reading.delete(read));
        reading.add(read);
      }
      if (reading.size === 0) return;
      await Promise.race(reading);
    }
  },
});

async function readSpec(ctx: JobContext, spec: ClaimedSpec): Promise<void> {
  try {
    const read = await readSource(ctx.outbound, spec, AbortSignal.timeout(READ_MS));
    if (!read) return void (await keepSpec(ctx.db, spec));
    const json = JSON.stringify(read.document);
    await completeSpec(ctx.db, spec, {
      document: await promisify(gzip)(json),
      hash: createHash('sha256').update(json).digest(),
      errors: read.missing.map((message) => ({ message })),
      etag: read.etag,
      lastModified: read.lastModified,
      parts: await packParts(read.document),
    });
  } catch (error) {
    if (!(error instanceof SpecificationError)) throw error;
    await failSpec(ctx.db, spec, error);
  }
}
