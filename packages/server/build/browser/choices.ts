// Runs before the page is painted: applies the choices that the reader made earlier.
{
  const root = document.documentElement;
  const theme = localStorage.getItem('theme');
  if (theme) root.dataset.theme = theme;
  root.dataset.language = localStorage.getItem('language') ?? 'curl';
}
