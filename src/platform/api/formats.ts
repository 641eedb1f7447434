import Format from 'typebox/format';

/**
 * Dates that JavaScript and PostgreSQL can read. The library also accepts leap seconds, other calendars and the year 0,
 * which RFC 3339 permits, and PostgreSQL no time zone that is 16 hours or more from UTC.
 */
function isReadable(text: string): boolean {
  const year = new Date(text).getUTCFullYear();
  return year >= 1 && year <= 9999 && !/[+-](1[6-9]|2\d):?\d\d$/.test(text);
}

/** Replaces the formats of the library. */
export function registerFormats(): void {
  Format.Set('date-time', (text) => Format.IsDateTime(text) && isReadable(text));
  Format.Set('date', (text) => Format.IsDate(text) && isReadable(text));
}
