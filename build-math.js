import { readFile } from 'node:fs/promises';
import subsetFont from 'subset-font';

/**
 * The font of formulas: browsers stretch brackets, roots and integrals with the MATH table of their font only, and few systems
 * have such a font. STIX Two Math has 1.5 MB, so that it is cut into files that pages ask for by the characters they show.
 * They are not WOFF2, whose compression in WebAssembly takes seconds of every build: they are sent compressed as style sheets are.
 */
const FACES = [
  {
    // Letters in italics, Greek, digits, operators, and the brackets and arrows that stretch.
    name: 'math.ttf',
    range:
      '20-7E A0 A8 AC AF B0 B1 B4 B7 D7 F7 131 237 2C6-2C7 2D8-2DC 300-308 30A-30C 332 338 391-3A9 3B1-3C9 3D1 3D5-3D6 ' +
      '3F0-3F1 3F5 2002-200A 2010-2016 2018-201D 2020-2022 2026 2032-2037 203E 2044 2057 2061-2064 20D6-20D7 2102 210D-210F ' +
      '2111 2113 2115 2118-211A 211C-211D 2124 2135-2138 2190-2199 21A6 21A9-21AA 21BC-21CC 21D0-21D5 2200-22FF 2308-230B ' +
      '23B0-23B1 23DC-23E1 25A0-25A1 25B3 25CA-25CB 27E6-27EB 27F5-27FC 2A00-2A06 2A0C 2A3F 2A7D-2A7E 2AAF-2AB0 ' +
      '1D434-1D467 1D6A4-1D6A5 1D6E2-1D71B',
  },
  {
    // Bold, script, Fraktur, double-struck.
    name: 'math-letters.ttf',
    range:
      '210A-210C 2110 2112 211B 2128 212C-212D 212F-2131 2133-2134 213C-2140 2145-2149 1D400-1D433 1D468-1D59F 1D6A8-1D6E1 ' +
      '1D71C-1D755 1D7CA-1D7E1',
  },
  {
    // Sans-serif, typewriter; rare operators and arrows.
    name: 'math-symbols.ttf',
    range:
      '219A-21A5 21A7-21A8 21AB-21BB 21CD-21CF 21D6-21FF 2300-2307 230C-23AF 23B2-23DB 25B2 25B4-25C9 2605-2606 ' +
      '2660-2667 266D-266F 2713 2720 27C0-27E5 27EC-27F4 27FD-27FF 2900-29FF 2A07-2A0B 2A0D-2A3E 2A40-2A7C 2A7F-2AAE ' +
      '2AB1-2AFF 1D5A0-1D6A3 1D756-1D7C9 1D7E2-1D7FF',
  },
];

/** `@font-face` rules for a style sheet beside the files, and which characters ask for each of them. */
export async function buildMath(font, add) {
  const bytes = await readFile(font);
  const faces = [];
  let css = '';
  for (const { name, range } of FACES) {
    const ranges = range.split(' ').map((each) => each.split('-'));
    const subset = await subsetFont(bytes, charactersOf(ranges), {
      targetFormat: 'truetype',
      // Variants for sizes that no browser asks for.
      noLayoutClosure: true,
    });
    const file = await add(name, subset, 'font/ttf');
    const unicodes = ranges.map((each) => `U+${each.join('-')}`).join();
    css += `@font-face{font-family:"Octavo Math";font-display:optional;src:url("${file}")format("truetype");unicode-range:${unicodes}}`;
    faces.push({
      file,
      characters: `[${ranges.map((each) => each.map((code) => `\\u{${code}}`).join('-')).join('')}]`,
    });
  }
  return { css, faces };
}

function charactersOf(ranges) {
  let text = '';
  for (const [first, last = first] of ranges)
    for (let code = Number.parseInt(first, 16); code <= Number.parseInt(last, 16); code++)
      text += String.fromCodePoint(code);
  return text;
}
