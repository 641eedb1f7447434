import { basePath, type Config } from './config.ts';
import type { Addresses } from './platform/api/context.ts';

export const addressesOf = (config: Config): Addresses => ({
  of: (path) => config.url + path,
  base: basePath(config),
});
