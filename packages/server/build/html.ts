export { escaped, Html, html, plainText } from '../src/html.ts';
