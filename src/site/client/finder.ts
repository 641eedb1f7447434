/** The search as a dialog. Its content is what the server renders for the search page. */
export function openFinder(): void {
  const dialog = document.querySelector<HTMLDialogElement>('dialog.finder');
  const form = dialog?.querySelector('form');
  const input = form?.querySelector('input');
  const output = dialog?.querySelector('.found');
  if (!dialog || !form || !input || !output) return;
  const answers = new Map<string, string>();
  let request: AbortController | undefined;
  /** The address whose results are shown. */
  let shown = '';

  const addressOf = (query: string): string => `${form.action}?${new URLSearchParams({ q: query })}`;

  const show = (address: string, content: string): void => {
    shown = address;
    output.replaceChildren(...new DOMParser().parseFromString(content, 'text/html').body.childNodes);
    output.querySelector('.results a')?.classList.add('active');
  };

  const load = async (address: string): Promise<void> => {
    request?.abort();
    const known = answers.get(address);
    if (known !== undefined) return show(address, known);
    request = new AbortController();
    const { signal } = request;
    try {
      const answer = await fetch(`${address}&fragment=1`, { signal });
      if (!answer.ok) throw new Error(String(answer.status));
      const content = await answer.text();
      answers.set(address, content);
      if (!signal.aborted) show(address, content);
    } catch {
      if (signal.aborted) return;
      const message = document.createElement('p');
      message.className = 'empty';
      message.textContent = dialog.dataset['failed'] ?? '';
      output.replaceChildren(message);
    }
  };

  const open = (query = input.value): void => {
    if (!dialog.open) dialog.showModal();
    input.value = query;
    input.focus();
    input.select();
    if (query) void load(addressOf(query));
  };

  let timer = 0;
  input.addEventListener('input', () => {
    clearTimeout(timer);
    const query = input.value.trim();
    timer = window.setTimeout(() => {
      if (query) void load(addressOf(query));
      else {
        request?.abort();
        shown = '';
        output.replaceChildren();
      }
    }, 90);
  });
  form.addEventListener('submit', (event) => {
    const active = output.querySelector<HTMLAnchorElement>('.results a.active');
    // Results of an older query must not be opened: then the search page answers.
    if (!active || shown !== addressOf(input.value.trim())) return;
    event.preventDefault();
    dialog.close();
    location.assign(active.href);
  });
  dialog.addEventListener('click', (event) => {
    const target = event.target as Element;
    if (target === dialog || target.closest('[data-close], .results a')) return dialog.close();
    const chip = target.closest<HTMLAnchorElement>('a.chip');
    if (!chip) return;
    event.preventDefault();
    void load(chip.href);
  });
  // Where nothing had the focus before, the hidden field keeps it, and would swallow the next shortcut.
  dialog.addEventListener('close', () => input.blur());
  dialog.addEventListener('keydown', (event) => {
    // A search field would first clear itself.
    if (event.key === 'Escape') {
      event.preventDefault();
      return dialog.close();
    }
    const links = [...output.querySelectorAll<HTMLAnchorElement>('.results a')];
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined) {
      // Typing goes on in the field, wherever the focus is.
      if (document.activeElement !== input && event.key.length === 1 && !event.ctrlKey && !event.metaKey)
        input.focus();
      return;
    }
    event.preventDefault();
    for (const link of links) link.classList.remove('active');
    const at = links.indexOf(document.activeElement as HTMLAnchorElement) + by;
    // From the field, the first result is active already: down moves on to the second only from it.
    if (at < 0) input.focus();
    else links[Math.min(at, links.length - 1)]?.focus();
  });

  document.addEventListener('click', (event) => {
    const target = (event.target as Element).closest<HTMLElement>('a.search, [data-action]');
    if (!target || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(target.dataset['query'] ?? input.value);
  });
  document.addEventListener('keydown', (event) => {
    const isShortcut = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k';
    const isSlash = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!isShortcut && !(isSlash && !isField(event.target as Element))) return;
    event.preventDefault();
    if (dialog.open) dialog.close();
    else open();
  });
  if (/Mac|iP/.test(navigator.platform))
    for (const key of document.querySelectorAll('.search kbd')) key.textContent = '⌘ K';
}

const isField = (element: Element): boolean =>
  element.closest('input, textarea, select, [contenteditable]') !== null;
