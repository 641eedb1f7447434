import { badRequest } from '../../../platform/api/errors.ts';
import type { Item } from './move.ts';

interface Pointer {
  readonly type: 'site-space' | 'site-section' | 'site-section-group';
  readonly id: string;
}

/** A section or group, as a request names it. */
export const itemOf = ({ type, id }: Pointer): Item => {
  if (type === 'site-space')
    throw badRequest('A section or a section group cannot be placed next to a site space.');
  return { kind: type === 'site-section' ? 'section' : 'group', id };
};

/** The id of a site space, as a request names it. */
export const siteSpaceOf = ({ type, id }: Pointer): string => {
  if (type !== 'site-space') throw badRequest('A site space can only be placed next to a site space.');
  return id;
};
