import { Link, useLocation } from '@tanstack/react-router';
import { createElement, type ReactNode, useEffect } from 'react';
import classes from './ayuda.module.css';
import type { Guide, Node } from './read-guide.ts';

export type Part = { default: Guide; pictures: Record<string, string> };

/** Contents and text of a guide, scrolled to the section that the address names. */
export function GuideText({ parts, wide }: { parts: readonly Part[]; wide: boolean }) {
  const hash = useLocation({ select: (location) => location.hash });
  useEffect(() => {
    const heading = document.getElementById(hash);
    heading?.scrollIntoView();
    heading?.focus({ preventScroll: true });
  }, [hash]);
  const contents = parts.flatMap(({ default: guide }) => guide.contents);
  return (
    <div className={classes.guide}>
      <details className={classes.contents} open={wide}>
        <summary>Contenido</summary>
        <nav aria-label="Contenido">
          <ul>
            {contents.map(({ id, text }) => (
              <li key={id}>
                <Link to="." hash={id}>
                  {text}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      </details>
      <article className={classes.text}>
        {parts.map(({ default: guide, pictures }) => guide.body.map((node, i) => draw(node, `${guide.title} ${i}`, pictures)))}
      </article>
    </div>
  );
}

function draw(node: Node, key: string, pictures: Part['pictures']): ReactNode {
  if (typeof node === 'string') return node;
  const [tag, attributes, ...children] = node;
  const inner = children.map((child, i) => draw(child, String(i), pictures));
  if (tag === 'img') {
    const { src = '', alt, width, height } = attributes;
    // A phone shows a desktop picture small: a tap opens the picture in a new tab, where the reader can zoom.
    return (
      <a key={key} href={pictures[src]} target="_blank" rel="noreferrer">
        <img src={pictures[src]} alt={alt} width={width} height={height} loading="lazy" decoding="async" />
      </a>
    );
  }
  if (tag === 'a') return <Reference key={key} href={attributes.href ?? ''} text={inner} />;
  // Makes sections focusable, so that the keyboard continues from the section that a link opens.
  const own = 'id' in attributes ? { ...attributes, tabIndex: -1 } : attributes;
  return createElement(tag, { key, ...own }, ...inner);
}

/** Link in a guide: to a section, to another guide or a section of one, or to another site. */
function Reference({ href, text }: { href: string; text: ReactNode[] }) {
  const [, guide, section] = /^(?:(\w+)\.md)?(?:#(.+))?$/.exec(href) ?? [];
  if (guide === undefined && section === undefined)
    return (
      <a href={href} target="_blank" rel="noreferrer">
        {text}
      </a>
    );
  // A link to todos.md stays on the page, because every guide includes the sections of todos.md.
  const to = guide && guide !== 'todos' ? `/ayuda/${guide}` : '.';
  return (
    <Link to={to} {...(section && { hash: section })}>
      {text}
    </Link>
  );
}
