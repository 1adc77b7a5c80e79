/** The logo of the renderer, which its page loads from the vendor's servers. */
const REMOTE_LOGO = /https:\/\/cdn\.redoc\.ly\/redoc\/logo-mini(?:-full)?\.svg/g;

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" width="52" height="14"><text x="0" y="11" font-family="sans-serif" font-size="11" fill="#5a6270">Redocly</text></svg>`;

/**
 * Additions to the style of the renderer: codes in the first column of a table are not broken if there is room, code in
 * the guide is wrapped instead of cut off, and small colored text has the contrast that WCAG AA requires.
 */
const STYLE = `<style>
td:first-child code{white-space:nowrap;word-break:normal}
@media(max-width:640px){td:first-child{min-width:9em}td:first-child code{white-space:normal;overflow-wrap:anywhere}}
pre[data-language]{white-space:pre-wrap!important;overflow-wrap:anywhere}
:root.light{
--input-content-placeholder-color:#63646f;
--button-content-color-link:#0f5fd0;
--code-block-tokens-function-color:#9a4f00;
--code-block-tokens-string-color:#1f5cc0;
--code-block-tokens-boolean-color:#0b7a3e;
}
:root.light .tag-get,:root.light .tag-query{--tag-color:#0e7a45}
:root.light .tag-post{--tag-color:#1553c9}
:root.light .tag-put{--tag-color:#a35200}
:root.light .tag-patch{--tag-color:#7a6000}
</style>`;

/** The page without remote resources: it must look the same on a machine without a network. */
export function selfContained(html: string): string {
  return html
    .replace('</head>', `${STYLE}</head>`)
    .replaceAll(REMOTE_LOGO, `data:image/svg+xml;base64,${Buffer.from(LOGO).toString('base64')}`);
}
