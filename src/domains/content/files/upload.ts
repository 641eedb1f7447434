import type { Context } from '../../../platform/api/context.ts';
import { tooLarge } from '../../../platform/api/errors.ts';
import { page } from '../../../platform/http/pages/page.ts';
import { newSecret } from '../../../platform/api/ids.ts';
import { spool, SpoolLimitExceeded, type Spool } from '../../../platform/spool.ts';
import { MAX_FILE } from './store-bytes.ts';
import { storeSpool } from './store-large.ts';
import { finishUpload, getOpenUpload, insertUpload } from './store.ts';
import { requireStorage } from './quota-store.ts';

export const uploadPath = (key: string): string => `/~uploads/${key}`;

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
  return { object: 'storage-signed-url' as const, url: ctx.addresses.of(uploadPath(key)), key };
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
    const received = await receive(content, upload.size);
    if (received?.size !== upload.size) {
      await received?.dispose();
      return refuse(400, `The size of the file differs from the announced ${upload.size} bytes.`);
    }
    const { hash } = await storeSpool(ctx, upload.organization_id, upload.name, received);
    if (!(await finishUpload(ctx.db, key, hash)))
      return refuse(409, 'This upload URL has already been used.');
    return { status: 204, body: '' };
  },
});

/** Undefined where there are more bytes. On disk: a client that stops sending keeps no memory. */
async function receive(content: AsyncIterable<Uint8Array>, most: number): Promise<Spool | undefined> {
  try {
    return await spool(content, most);
  } catch (error) {
    if (error instanceof SpoolLimitExceeded) return undefined;
    throw error;
  }
}
