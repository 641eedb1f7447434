import { ApiError } from '../../platform/api/errors.ts';

export const notIndexed = () =>
  new ApiError(503, 'The links of this space are being indexed. Retry in a moment.', {
    headers: { 'retry-after': '5' },
  });
