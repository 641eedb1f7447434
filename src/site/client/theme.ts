const root = document.documentElement;

export const isDark = (): boolean =>
  root.dataset['theme']
    ? root.dataset['theme'] === 'dark'
    : matchMedia('(prefers-color-scheme: dark)').matches;

export function switchTheme(): void {
  const toggle = document.querySelector('[data-theme-toggle]');
  if (!toggle) return;
  const state = (): void => toggle.setAttribute('aria-pressed', String(isDark()));
  state();
  toggle.addEventListener('click', () => {
    const theme = isDark() ? 'light' : 'dark';
    root.dataset['theme'] = theme;
    state();
    dispatchEvent(new Event('octavo-theme'));
    try {
      localStorage.setItem('octavo-theme', theme);
    } catch {
      // Storage is blocked: the choice holds for this page.
    }
  });
}
