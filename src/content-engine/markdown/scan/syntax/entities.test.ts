import { describe, expect, it } from 'vitest';
import { plainText } from '../../../document/index.ts';
import { parseDocument, splitSource, toMarkdown, updateTitle } from '../../index.ts';
import { decodeEntities, entityAt } from './entities.ts';

describe('character references', () => {
  it.each([
    ['&nbsp; &amp; &copy; &AElig; &Dcaron;', '\u00a0 & © Æ Ď'],
    ['&frac34; &HilbertSpace; &DifferentialD;', '¾ ℋ ⅆ'],
    ['&ClockwiseContourIntegral; &CounterClockwiseContourIntegral; &ngE;', '∲ ∳ ≧̸'],
    ['&#35; &#1234; &#992; &#0;', '# Ӓ Ϡ \ufffd'],
    ['&#X22; &#XD06; &#xcab; &#xd800; &#x110000;', '" ആ ಫ \ufffd \ufffd'],
    ['&#150;', '\u0096'],
    ['&nbsp &x; &#; &#x; &#87654321; &#abcdef0; &ThisIsNotDefined; &hi?;', undefined],
    ['&copy &copy=1 &MadeUpEntity; &constructor; &toString;', undefined],
  ])('%s', (source, text) => {
    expect(decodeEntities(source)).toBe(text ?? source);
    expect(entityAt(`a${source}`, 1)?.text).toBe(text === undefined ? undefined : text.split(' ')[0]);
  });

  it.each(['&CounterClockwiseContourIntegral;', '&HilbertSpace;', '&unknown;', '&#x20;'])(
    'are not created from text that looks like %s',
    (text) => {
      const written = text.replace('&', '&amp;');
      for (const source of [written, `<p align="center">${written}</p>`, `[${written}](${written})`]) {
        const document = parseDocument(source);
        expect(plainText(document).trim()).toBe(text);
        expect(parseDocument(toMarkdown(document))).toEqual(document);
      }
      expect(splitSource(updateTitle('# A\n', text)).titleText).toBe(text);
    },
  );
});
