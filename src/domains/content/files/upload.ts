import { buffer } from 'node:stream/consumers';
import type { Context } from '../../../platform/api/context.ts';
import { tooLarge } from '../../../platform/api/errors.ts';
import { page } from '../../../platform/http/page.ts';
import { newSecret } from '../../../platform/api/ids.ts';
import { MAX_FILE, storeBytes } from './store-bytes.ts';
import { finishUpload, getOpenUpload, insertUpload } from './store.ts';
import { requireStorage } from './quota-store.ts';

/** The address to which a caller may send the bytes of one file. It is the permission: hard to guess, and used once. */
export async function openUpload(
  ctx: Context,
  organizationId: string,
  file: { readonly name: string; readonly type: string; readonly size: number },
) {
  if (file.size > MAX_FILE) throw tooLarge(`A file must not exceed ${MAX_FILE / 1024 / 1024} MB.`);
  await requireStorage(ctx.db, organizationId, file.size);
  const key = newSecret();
  await insertUpload(ctx.db, {
    key,
    organizationId,
    userId: ctx.caller.id,
    name: file.name,
    contentType: file.type,
    size: file.size,
  });
  return { object: 'storage-signed-url' as const, url: ctx.addresses.of(`/~uploads/${key}`), key };
}

const refuse = (status: number, body: string) => ({
  status,
  type: 'text/plain; charset=utf-8',
  body: `${body}\n`,
});

export const uploadPage = page({
  method: 'PUT',
  path: '/~uploads/{key}',
  async handle({ ctx, params, content }) {
    const key = params['key'] ?? '';
    const upload = await getOpenUpload(ctx.db, key);
    if (!upload) return refuse(404, 'The upload URL is invalid, used or expired. Request a new one.');
    const bytes = await readUpTo(content, upload.size);
    if (bytes?.length !== upload.size) {
      return refuse(400, `The size of the file differs from the announced ${upload.size} bytes.`);
    }
    const { hash } = await storeBytes(ctx, upload.organization_id, upload.name, bytes);
    if (!(await finishUpload(ctx.db, key, hash)))
      return refuse(409, 'This upload URL has already been used.');
    return { status: 204, body: '' };
  },
});

/** Undefined where there are more bytes. */
async function readUpTo(content: AsyncIterable<Uint8Array>, most: number): Promise<Buffer | undefined> {
  let size = 0;
  async function* counted() {
    for await (const chunk of content) {
      size += chunk.length;
      if (size > most) return;
      yield chunk;
    }
  }
  const bytes = await buffer(counted());
  return size > most ? undefined : bytes;
}
