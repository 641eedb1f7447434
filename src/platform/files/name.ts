const LONGEST = 256;
const LONGEST_EXTENSION = 16;
const NAMELESS = 'file';

/**
 * Control and format characters (bidi overrides, zero-width ones, tags), line separators, halves of characters, and
 * letters that are drawn as nothing.
 */
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u{115F}\u{1160}\u{2800}\u{3164}\u{FFA0}]|[\u{34F}\u{17B4}\u{17B5}]|[\u{180B}-\u{180F}]/gu;

/** A file name that can be stored and shown: the part after the last slash, with visible characters, not empty. */
export function safeName(name: string): string {
  const last = name.replaceAll(INVISIBLE, '').split(/[/\\]/).at(-1) ?? '';
  const trimmed = last.trim().replace(/(?<![. ])[. ]+$/, '');
  return trimmed === '' ? NAMELESS : shorten(trimmed);
}

/** Keeps the extension, and whole characters. */
function shorten(name: string): string {
  if (name.length <= LONGEST) return name;
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 && name.length - dot <= LONGEST_EXTENSION ? name.slice(dot) : '';
  const kept = name.slice(0, LONGEST - extension.length).replace(/[\uD800-\uDBFF]$/, '');
  return kept.trimEnd() + extension;
}
