import { page } from '../../../platform/http/pages/page.ts';
import { equalsSecret } from '../../../platform/keys.ts';
import { signDownload } from '../../revisions/index.ts';
import { answerFile, FILE_NOT_FOUND } from './answer-file.ts';

/** `downloadURL` of a file: the address is the permission. Published sites have addresses of their own for files. */
export const downloadPage = page({
  method: 'GET',
  path: '/~files/{spaceId}/{hash}/{type}/{signature}/{name}',
  host: 'service',
  limit: 'none',
  isUncompressed: true,
  async handle({ ctx, params, headers }) {
    const { spaceId = '', hash = '', type = '', signature = '', name = '' } = params;
    if (!equalsSecret(signature, signDownload(ctx.keys, spaceId, hash, type, name))) return FILE_NOT_FOUND;
    const contentType = Buffer.from(type, 'base64url').toString();
    return answerFile(
      ctx,
      { spaceId, hash, contentType, name },
      headers,
      'private, max-age=31536000, immutable',
    );
  },
});
