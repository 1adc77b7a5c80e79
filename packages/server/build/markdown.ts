import highlighter from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import json from 'highlight.js/lib/languages/json';
import plaintext from 'highlight.js/lib/languages/plaintext';
import typescript from 'highlight.js/lib/languages/typescript';
import { Marked, type Tokens } from 'marked';
import { escaped, Html } from '../src/html.ts';
import { slugOf } from './guides.ts';

highlighter.registerLanguage('plaintext', plaintext);
highlighter.registerLanguage('sh', bash);
highlighter.registerLanguage('curl', bash);
highlighter.registerLanguage('json', json);
highlighter.registerLanguage('ts', typescript);
highlighter.registerLanguage('typescript', typescript);

/** Renders Markdown for one page. */
export interface Markdown {
  /** Paragraphs, lists, tables, code and headings. */
  block(text: string): Html;
  /** One paragraph without its surrounding element. */
  inline(text: string): Html;
}

/**
 * A Markdown renderer. `linkOf` returns the address for a piece of code, such as an error code or `GET /changes`, if it has
 * one.
 */
export function createMarkdown(linkOf: (code: string) => string | undefined): Markdown {
  const marked = new Marked({
    renderer: {
      code: ({ text, lang = '' }: Tokens.Code) => codeBlock(text, lang).text,
      codespan({ text }: Tokens.Codespan) {
        const link = linkOf(text);
        const code = `<code>${escaped(text)}</code>`;
        return link === undefined ? code : `<a href="${escaped(link)}">${code}</a>`;
      },
      heading({ text, tokens, depth }: Tokens.Heading) {
        return heading(depth, slugOf(text), new Html(this.parser.parseInline(tokens))).text;
      },
    },
    hooks: {
      // A region that scrolls must be reachable with the keyboard.
      postprocess: (text) =>
        text
          .replaceAll('<table>', '<div class="table" role="region" aria-label="Table" tabindex="0"><table>')
          .replaceAll('</table>', '</table></div>'),
    },
  });
  return {
    block: (text) => new Html(marked.parse(text, { async: false })),
    inline: (text) => new Html(marked.parseInline(text, { async: false })),
  };
}

/** A block of code, colored if its language is `sh`, `curl`, `ts`, `typescript` or `json`. */
export function codeBlock(text: string, name: string): Html {
  const language = highlighter.getLanguage(name) ? name : 'plaintext';
  const { value } = highlighter.highlight(text, { language });
  return new Html(
    `<div class="code"><pre tabindex="0"><code class="language-${escaped(language)}">${value}</code></pre></div>\n`,
  );
}

/** A heading that can be linked to. */
export function heading(level: number, id: string, content: Html): Html {
  return new Html(
    `<h${level} id="${escaped(id)}">${content.text}<a class="anchor" href="#${escaped(id)}" aria-hidden="true" tabindex="-1">#</a></h${level}>\n`,
  );
}
