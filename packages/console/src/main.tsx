import '@fontsource-variable/inter/wght.css';
import { createRoot } from 'react-dom/client';
import { Application } from './application.tsx';
import { applyTheme, chosenTheme } from './preferences/theme.ts';
import './styles/tokens.css';
import './styles/base.css';

applyTheme(chosenTheme());
const root = document.getElementById('root');
if (root) createRoot(root).render(<Application />);
