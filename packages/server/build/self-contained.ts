/** The renderer's own logo, which its page fetches from its maker's servers. */
const REMOTE_LOGO = /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini(?:-full)?\.svg/g;

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" width="52" height="14"><text x="0" y="11" font-family="sans-serif" font-size="11" fill="#5a6270">Redocly</text></svg>`;

/** Codes and names in the first column of a table stay in one piece. */
const STYLE = '<style>td:first-child code{white-space:nowrap;word-break:normal}</style>';

/** The page without what it would fetch from elsewhere: it must read the same on a machine without a network. */
export function selfContained(html: string): string {
  return html
    .replace('</head>', `${STYLE}</head>`)
    .replaceAll(REMOTE_LOGO, `data:image/svg+xml;base64,${Buffer.from(LOGO).toString('base64')}`);
}
