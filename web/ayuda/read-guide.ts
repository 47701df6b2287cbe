import { type MarkedToken, marked, type Token } from 'marked';

/* Reads the Markdown of docs/guia into a tree that the screen draws. Runs at build time, never in the browser. */

/** Text, or an element: tag, attributes, children. */
export type Node = string | Drawn;
export type Drawn = readonly [tag: string, attributes: Readonly<Record<string, string>>, ...children: Node[]];
export type Heading = { id: string; text: string };
export type Guide = { title: string; contents: Heading[]; body: Node[] };

/** Anchor of a heading, by GitHub's rules. */
const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

/** Parses a guide: its `#` heading is the title, each `##` heading a section in the contents. Throws on unsupported Markdown. */
export function readGuide(markdown: string): Guide {
  const tokens = marked.lexer(markdown) as MarkedToken[];
  const headings = tokens.filter((token) => token.type === 'heading');
  return {
    title: headings.find(({ depth }) => depth === 1)?.text ?? '',
    contents: headings.filter(({ depth }) => depth === 2).map(({ text }) => ({ id: anchorOf(text), text })),
    body: tokens.filter((token) => !(token.type === 'heading' && token.depth === 1)).flatMap(drawn),
  };
}

const inside = (tokens: readonly Token[] = []): Node[] => tokens.flatMap((token) => drawn(token as MarkedToken));

function drawn(token: MarkedToken): Node[] {
  switch (token.type) {
    case 'space':
    case 'def':
      return [];
    case 'heading':
      return [[`h${token.depth}`, { id: anchorOf(token.text) }, ...inside(token.tokens)]];
    case 'paragraph':
      // A picture alone in its paragraph is a figure, so that it can be wider than a line of text.
      return [[token.tokens.every(({ type }) => type === 'image') ? 'figure' : 'p', {}, ...inside(token.tokens)]];
    case 'text':
      return token.tokens ? inside(token.tokens) : [token.text];
    case 'escape':
      return [token.text];
    case 'strong':
    case 'em':
      return [[token.type, {}, ...inside(token.tokens)]];
    case 'codespan':
      return [['code', {}, token.text]];
    case 'link':
      return [['a', { href: token.href }, ...inside(token.tokens)]];
    case 'image':
      return [['img', { src: token.href, alt: token.text }]];
    case 'list':
      return [[token.ordered ? 'ol' : 'ul', {}, ...token.items.map(({ tokens }): Drawn => ['li', {}, ...inside(tokens)])]];
    case 'table': {
      const row = (cells: (typeof token)['header'], tag: string): Drawn => [
        'tr',
        {},
        ...cells.map(({ tokens }): Drawn => [tag, tag === 'th' ? { scope: 'col' } : {}, ...inside(tokens)]),
      ];
      return [['table', {}, ['thead', {}, row(token.header, 'th')], ['tbody', {}, ...token.rows.map((cells) => row(cells, 'td'))]]];
    }
    default:
      throw new Error(`The guide has no form for Markdown's «${token.type}»: ${token.raw}`);
  }
}

export const findAll = (nodes: readonly Node[], tag: string): Drawn[] =>
  nodes.flatMap((node) => {
    if (typeof node === 'string') return [];
    const [own, , ...children] = node;
    return [...(own === tag ? [node] : []), ...findAll(children, tag)];
  });
