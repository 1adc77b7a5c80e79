// What a page of the reference does in a browser: copies code, and switches the language of samples, the theme and the menu.
import { element } from './element.ts';

const root = document.documentElement;

function announce(text: string): void {
  element('#announcement').textContent = text;
}

for (const block of document.querySelectorAll('.code')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', 'Copy code');
  button.addEventListener('click', async () => {
    await copy(block.querySelector('code')?.textContent ?? '');
    button.textContent = 'Copied';
    announce('Copied');
    button.addEventListener('blur', () => (button.textContent = 'Copy'), { once: true });
  });
  block.prepend(button);
}

/** The clipboard API exists only on pages from localhost or over HTTPS. */
async function copy(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}

function showLanguage(language: string): void {
  root.dataset.language = language;
  for (const button of document.querySelectorAll<HTMLElement>('[data-choose]'))
    button.setAttribute('aria-pressed', String(button.dataset.choose === language));
}

showLanguage(root.dataset.language ?? 'curl');
for (const button of document.querySelectorAll<HTMLElement>('[data-choose]'))
  button.addEventListener('click', () => {
    // Samples above it change their height: the button stays where it was clicked.
    const before = button.getBoundingClientRect().top;
    localStorage.setItem('language', button.dataset.choose ?? '');
    showLanguage(button.dataset.choose ?? '');
    window.scrollBy(0, button.getBoundingClientRect().top - before);
  });

element('.theme-button').addEventListener('click', () => {
  const isDark = root.dataset.theme
    ? root.dataset.theme === 'dark'
    : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = isDark ? 'light' : 'dark';
  localStorage.setItem('theme', root.dataset.theme);
});

const menuButton = element<HTMLElement>('.menu-button');
menuButton.addEventListener('click', () => {
  const isOpen = root.classList.toggle('menu-open');
  menuButton.setAttribute('aria-expanded', String(isOpen));
});
{
  const menu = element('#menu');
  const current = menu.querySelector<HTMLElement>('[aria-current]');
  if (current && current.offsetTop > menu.clientHeight) menu.scrollTop = current.offsetTop - menu.clientHeight / 2;
}
