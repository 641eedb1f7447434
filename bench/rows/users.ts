import { readOne, type Row } from '../row.ts';

export const userRows: readonly Row[] = [...readOne('get user', async () => ({ path: '/v1/user' }))];
