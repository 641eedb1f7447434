import { imageRef, refOf } from '../check/refs.ts';
import { flag, members, oneOf, text } from '../check/shape.ts';
import { omitEmptyText } from '../canonical/sorted.ts';
import { block, fullWidth, IN_TABS, length } from './block.ts';

export const images = {
  images: block({
    data: members({ 'align?': oneOf('center', 'left', 'right'), 'withFrame?': flag, ...fullWidth }),
    holds: ['image'],
    places: [...IN_TABS, 'expandable-body'],
  }),
  image: block({
    data: members({
      ref: imageRef,
      'refDark?': imageRef,
      'width?': length,
      'height?': length,
      'alt?': text,
    }),
    holds: 'nothing',
    fragments: { caption: ['paragraph'] },
    ownText: ({ alt = '' }) => alt,
    meaningful: (data) => omitEmptyText(data, ['alt', 'caption']),
  }),
  drawing: block({
    data: members({ 'ref?': refOf('file') }),
    holds: 'nothing',
    places: IN_TABS,
    shows: ({ ref }) => (ref ? { ref } : { text: '' }),
  }),
};
