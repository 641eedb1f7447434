/** Inline and before the first paint, so that no page flashes in the other theme. Its hash is in the policy. */
const root = document.documentElement;
root.classList.add('js');
try {
  const theme = localStorage.getItem('octavo-theme');
  if ((theme === 'light' || theme === 'dark') && !('themeFixed' in root.dataset))
    root.dataset['theme'] = theme;
} catch {
  // Storage is blocked: the default theme of the site stays.
}
