// Sets light or dark before the first paint; web/appearance.ts takes over afterwards. A separate file, because the content security policy
// forbids inline scripts.
(() => {
  let theme;
  try {
    theme = JSON.parse(localStorage.getItem('appConfig') || '{}').theme;
  } catch {}
  const dark = theme === 'dark' || (theme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
