/** Hexadecimal colours of the customization. */

const HEX = /^#(?:[\da-f]{3}|[\da-f]{6})$/i;

/** The colour as `#rrggbb`, or `undefined` if the text is not one. */
export function hexColour(text: string | undefined): string | undefined {
  if (text === undefined || !HEX.test(text)) return undefined;
  const digits = text.slice(1).toLowerCase();
  return `#${digits.length === 6 ? digits : [...digits].map((digit) => digit + digit).join('')}`;
}

/** Relative luminance of a colour `#rrggbb`, as WCAG defines it. */
function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

/** `ink`, or black or white where `ink` could not be read on `paper`. */
export function readableOn(paper: string, ink: string | undefined): string {
  if (ink !== undefined && contrast(paper, ink) >= 4.5) return ink;
  return luminance(paper) > 0.179 ? '#000000' : '#ffffff';
}
