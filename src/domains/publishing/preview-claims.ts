import { badRequest } from '../../platform/api/errors.ts';
import { isClaims, type Claims } from '../visitors/index.ts';
import { readRison, RisonError } from './read-rison.ts';

/** The address of a preview contains the claims, and has at most 2,048 characters. */
const MAX_LENGTH = 1000;

const refused = (rule: string) =>
  badRequest(`The claims (query.claims) are not valid: ${rule}. Write them as (name:value,other:!t).`, [
    { path: 'query.claims', rule },
  ]);

/** The claims of a preview, from Rison. 400 with the position of an error. */
export function readPreviewClaims(text: string): Claims {
  const claims = parsed(text);
  if (!isClaims(claims)) throw refused('they must be an object');
  if (JSON.stringify(claims).length > MAX_LENGTH) throw refused(`longer than ${MAX_LENGTH} characters`);
  return claims;
}

function parsed(text: string): unknown {
  try {
    return readRison(text);
  } catch (error) {
    if (error instanceof RisonError) throw refused(`${error.message}, at position ${error.at}`);
    throw error;
  }
}
