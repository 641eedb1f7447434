/** One live region for every message of the script. */
let region: HTMLElement | undefined;

export function announce(message: string): void {
  if (!region) {
    region = document.createElement('div');
    region.className = 'hidden';
    region.setAttribute('role', 'status');
    document.body.append(region);
  }
  region.textContent = '';
  // A region that appears together with its text is not read.
  setTimeout(() => region && (region.textContent = message), 50);
}

export function announceCopies(): void {
  document.addEventListener('click', (event) => {
    const target = event.target as Element;
    const button = target.closest<HTMLElement>('.copy');
    if (button) {
      const code = button.closest('.code')?.querySelector('code');
      if (code) void copied(button, navigator.clipboard.writeText(code.textContent ?? ''));
      return;
    }
    const page = target.closest<HTMLAnchorElement>('[data-copy-page]');
    if (!page || !navigator.clipboard?.write || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const text = fetch(page.href, { headers: { accept: 'text/markdown' } }).then((answer) => {
      if (!answer.ok) throw new Error(String(answer.status));
      return answer.blob();
    });
    // The write starts within the click: some browsers refuse one that begins after a request.
    const item = new ClipboardItem({
      'text/plain': text.then((blob) => new Blob([blob], { type: 'text/plain' })),
    });
    copied(page, navigator.clipboard.write([item])).catch(() => location.assign(page.href));
  });
}

async function copied(element: HTMLElement, written: Promise<void>): Promise<void> {
  await written;
  element.classList.add('done');
  announce(document.documentElement.dataset['copied'] ?? '');
  setTimeout(() => element.classList.remove('done'), 1600);
}
