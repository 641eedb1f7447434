import { anyRef, imageRef, refOf } from '../check/refs.ts';
import { flag, like, listOf, mapOf, members, text } from '../check/shape.ts';
import type { ContentRef } from '../refs.ts';
import { block, fullWidth, IN_TABS, name, type Shown } from './block.ts';

const target = ({ ref }: { readonly ref: ContentRef }): Shown => ({ ref });

/** Blocks that show something else: an address, a file, a page, an API. */
export const references = {
  embed: block({
    data: members({ url: text, ...fullWidth }),
    holds: 'nothing',
    fragments: { caption: 'blocks' },
    places: IN_TABS,
    shows: ({ url }) => ({ url }),
  }),
  file: block({
    data: members({ ref: refOf('file') }),
    holds: 'nothing',
    fragments: { caption: 'blocks' },
    places: IN_TABS,
    shows: target,
  }),
  'content-ref': block({
    data: members({ ref: anyRef }),
    holds: 'nothing',
    places: IN_TABS,
    shows: target,
  }),
  'reusable-content': block({
    data: members({ ref: refOf('reusable-content') }),
    holds: 'nothing',
    places: ['expandable-body'],
    shows: target,
  }),
  integration: block({
    data: members({
      integration: like(/^[A-Za-z][\w.-]*$/, 'must be the name of an integration'),
      block: like(/^[\w./-]*$/, 'must be the name of a block'),
      'props?': mapOf(
        () => undefined,
        like(/^(?!__proto__$)[A-Za-z_:][\w:.-]*$/, 'must not have a reserved name'),
      ),
      'action?': members({ action: text }),
      'url?': text,
      ...fullWidth,
    }),
    holds: 'nothing',
    places: IN_TABS,
    shows: ({ url, integration, block: part }) =>
      url === undefined ? { text: `${integration}/${part}` } : { url },
    // `false` differs from absence.
    meaningful: (data) => data,
  }),
  swagger: block({
    data: members({ ref: imageRef, path: text, method: text, 'expanded?': flag, ...fullWidth }),
    holds: 'nothing',
    shows: target,
  }),
  'openapi-operation': block({
    data: members({ ref: refOf('openapi'), path: text, method: text }),
    holds: 'nothing',
    ownText: ({ path = '', method = '' }) => `${method.toUpperCase()} ${path}`.trim(),
    shows: target,
  }),
  'openapi-webhook': block({
    data: members({ ref: refOf('openapi'), name: text, method: text }),
    holds: 'nothing',
    ownText: ({ name: webhook = '' }) => webhook,
    shows: target,
  }),
  'openapi-schemas': block({
    data: members({ ref: refOf('openapi'), schemas: listOf(name), 'grouped?': flag }),
    holds: 'nothing',
    ownText: ({ schemas = [] }) => schemas.join(', '),
    shows: target,
    // `false` differs from absence.
    meaningful: (data) => data,
  }),
};
