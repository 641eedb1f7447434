import { headersFor } from '../../platform/files/index.ts';
import { page, type PageAnswer } from '../../platform/http/pages/page.ts';
import { equalsSecret, type Keys } from '../../platform/keys.ts';
import { isStored, storageName } from '../content/index.ts';

const HOUR_S = 3600;
/** All callers get the same address for this long, so that browsers can cache it. */
const SAME_S = 600;
const GONE: PageAnswer = {
  status: 404,
  type: 'text/plain; charset=utf-8',
  body: 'This URL has expired. Request the PDF again.\n',
};

const sign = (keys: Keys, spaceId: string, hash: string, expires: string): string =>
  keys.sign('pdf', `${spaceId} ${hash} ${expires}`).slice(0, 32);

/** A signed address, valid for an hour and a little more. */
export function pdfPath(keys: Keys, now: Date, spaceId: string, hash: string): string {
  const expires = String(Math.ceil(now.getTime() / 1000 / SAME_S) * SAME_S + HOUR_S);
  return `/~pdf/${spaceId}/${hash}/${expires}/${sign(keys, spaceId, hash, expires)}/document.pdf`;
}

export const pdfPage = page({
  method: 'GET',
  path: '/~pdf/{spaceId}/{hash}/{expires}/{signature}/document.pdf',
  host: 'service',
  async handle({ ctx, params }) {
    const { spaceId = '', hash = '', expires = '', signature = '' } = params;
    const isGood =
      equalsSecret(signature, sign(ctx.keys, spaceId, hash, expires)) &&
      Number(expires) * 1000 > ctx.now().getTime();
    if (!isGood || !(await isStored(ctx.db, spaceId, hash))) return GONE;
    const file = await ctx.files.open(storageName(hash));
    if (!file) return GONE;
    return {
      status: 200,
      headers: {
        ...headersFor('application/pdf', 'document.pdf'),
        'content-length': String(file.size),
        'cache-control': 'private, max-age=600',
      },
      body: file.stream,
    };
  },
});
