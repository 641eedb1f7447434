/** Loads the form for requests when a reader opens the first one. */
export function openTryIt(): void {
  const address = document.documentElement.dataset['tryIt'];
  if (!address) return;
  document.addEventListener('click', (event) => {
    const button = (event.target as Element).closest<HTMLButtonElement>('[data-try]');
    if (!button) return;
    void import(address).then(() => button.dispatchEvent(new Event('octavo-try', { bubbles: true })));
  });
}
