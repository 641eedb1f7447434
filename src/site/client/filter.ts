/** A field above each table that may be filtered. It needs the script, so the script adds it. */
export function filterTables(): void {
  for (const table of document.querySelectorAll<HTMLElement>('.table[data-filter]')) {
    const field = document.createElement('label');
    field.className = 'filter';
    const input = document.createElement('input');
    input.type = 'search';
    input.setAttribute('aria-label', table.getAttribute('aria-label') ?? '');
    input.placeholder = document.documentElement.dataset['filter'] ?? '';
    const rows = [...table.querySelectorAll<HTMLElement>('tbody tr')];
    input.addEventListener('input', () => {
      const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
      for (const row of rows) {
        const text = row.textContent?.toLowerCase() ?? '';
        row.hidden = !words.every((word) => text.includes(word));
      }
    });
    field.append(input);
    table.before(field);
  }
}
