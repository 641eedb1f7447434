import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import { partsOf, type JsonObject, type Part } from '../../content-engine/openapi/index.ts';
import type { PartRow } from './part-store.ts';

const compress = promisify(gzip);

/** Half of the time, for a tenth more bytes. */
const FAST = { level: constants.Z_BEST_SPEED };

/** Parts that are compressed at the same time. */
const BATCH = 50;

/** The parts of a specification as rows. Other tasks of the process run in between: a large one takes seconds. */
export async function packParts(document: JsonObject): Promise<PartRow[]> {
  const rows: PartRow[] = [];
  let batch: Part[] = [];
  const pack = async () => {
    const packed = await Promise.all(batch.map((part) => compress(JSON.stringify(part.view), FAST)));
    for (const [index, { view: _, operationId, description, ...part }] of batch.entries())
      rows.push({
        ...part,
        operation_id: operationId ?? null,
        description: description ?? null,
        view: packed[index] ?? Buffer.alloc(0),
      });
    batch = [];
    await setImmediate();
  };
  for (const part of partsOf(document)) {
    batch.push(part);
    if (batch.length === BATCH) await pack();
  }
  await pack();
  return rows;
}
