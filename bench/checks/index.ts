import type { Check } from '../check.ts';
import { apiReferenceChecks } from './api-reference.ts';
import { attackChecks } from './attacks.ts';
import { crowdChecks } from './crowd.ts';
import { concurrencyChecks } from './high-concurrency.ts';
import { gitChecks } from './git.ts';
import { importChecks } from './import.ts';
import { importMemoryChecks } from './import-memory.ts';
import { importUrlChecks } from './import-url.ts';
import { linkChecks } from './links.ts';
import { parseChecks } from './parse.ts';
import { requestChecks } from './change-requests.ts';
import { searchChecks } from './search.ts';
import { siteChecks } from './sites.ts';
import { siteWeightChecks } from './site-weight.ts';
import { sizeChecks } from './sizes.ts';
import { storageChecks } from './storage.ts';
import { webhookChecks } from './webhooks.ts';

export const checks: readonly Check[] = [
  ...parseChecks,
  ...importChecks,
  ...importUrlChecks,
  ...importMemoryChecks,
  ...gitChecks,
  ...searchChecks,
  ...linkChecks,
  ...storageChecks,
  ...apiReferenceChecks,
  ...webhookChecks,
  ...siteChecks,
  ...siteWeightChecks,
  ...sizeChecks,
  ...requestChecks,
  ...concurrencyChecks,
  ...attackChecks,
  ...crowdChecks,
];
