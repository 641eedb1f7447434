/** Longer lines are no properties. */
const PROPERTY = /^([^:\n|]{1,100}): ?(.{0,2000})$/;

/**
 * Markdown of Notion as ours: callouts are hints, and the properties of a page in a database (`Key: value` lines below
 * its title) are a table.
 */
export function readNotionMarkdown(text: string, hasProperties: boolean): string {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  const edited = withHints(hasProperties ? withProperties(lines) : lines);
  return edited.every((line, index) => line === lines[index]) && edited.length === lines.length
    ? text
    : edited.join('\n');
}

function withProperties(lines: readonly string[]): readonly string[] {
  const start = lines[0]?.startsWith('# ') ? 2 : -1;
  if (start < 0 || lines[1] !== '') return lines;
  let end = start;
  while (PROPERTY.test(lines[end] ?? '')) end++;
  if (end === start || (lines[end] ?? '') !== '') return lines;
  const rows = lines.slice(start, end).map((line) => {
    const [, key = '', value = ''] = PROPERTY.exec(line) ?? [];
    return `| ${key} | ${value.replaceAll('|', '\\|')} |`;
  });
  return [...lines.slice(0, start), '| Property | Value |', '| --- | --- |', ...rows, ...lines.slice(end)];
}

/** `<aside>` is a callout. Inside of code it is text. */
function withHints(lines: readonly string[]): readonly string[] {
  let fence = '';
  return lines.map((line) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    if (mark !== '') fence = fence === '' ? mark : mark.startsWith(fence) ? '' : fence;
    if (fence !== '' || mark !== '') return line;
    if (line.trim() === '<aside>') return '{% hint style="info" %}';
    return line.trim() === '</aside>' ? '{% endhint %}' : line;
  });
}
