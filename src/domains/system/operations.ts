import Type from 'typebox';
import { anyone, operation } from '../../platform/api/operation.ts';
import { BUILD, VERSION } from '../../platform/version.ts';

export const getApiInformation = operation({
  method: 'GET',
  path: '/v1/',
  summary: 'Get the version of this API',
  scope: 'user:read',
  status: 200,
  response: Type.Object({ version: Type.String(), build: Type.String() }),
  access: anyone,
  handle: async () => ({ version: VERSION, build: BUILD }),
});
