import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useLocation } from '@tanstack/react-router';
import { createElement, type ReactNode, useEffect } from 'react';
import { ROLE_LABEL, ROLES, type Role } from '../../contract/policy/policy.ts';
import { findScreen, mayOpen } from '../access.ts';
import { loadPatiently } from '../lazy.ts';
import { useSession } from '../session/session.ts';
import { useSearchState } from '../ui/list/filters.tsx';
import { Skeletons } from '../ui/list/loaded.tsx';
import { PageHeader } from '../ui/page/panel.tsx';
import classes from './ayuda.module.css';
import type { Guide, Node } from './read-guide.ts';
import { guideSection } from './sections.ts';

type Name = 'administrador' | 'revendedor' | 'transportista';
const OWN: Record<Role, Name> = { superadmin: 'administrador', revendedor: 'revendedor', transportista: 'transportista' };

const withCommon = (own: Promise<Part>) => Promise.all([own, import('../../docs/guia/todos.md')]);
const GUIDES = {
  administrador: () => withCommon(import('../../docs/guia/administrador.md')),
  revendedor: () => withCommon(import('../../docs/guia/revendedor.md')),
  transportista: () => withCommon(import('../../docs/guia/transportista.md')),
};
const isName = (name: string): name is Name => name in GUIDES;

/** «Ayuda»: the guide of the person's role, or another guide that the role may read. `desde`, the previous screen, selects a section of the role's guide. */
export default function AyudaPage() {
  const { role } = useSession();
  const [{ desde }] = useSearchState({ desde: '' });
  const named = useLocation({ select: ({ pathname }) => pathname.split('/')[2] ?? '' });
  if (desde) return <Navigate to="/ayuda" hash={guideSection(desde) ?? ''} replace />;
  const name = isName(named) ? named : OWN[role];
  return <Shown key={name} name={name} />;
}

function Shown({ name }: { name: Name }) {
  const user = useSession();
  const wide = useMediaQuery('(min-width: 80em)', true, { getInitialValueInEffect: false });
  const { data: parts } = useQuery({
    queryKey: ['guia', name],
    queryFn: () => loadPatiently(GUIDES[name]),
    staleTime: Infinity,
    throwOnError: true,
  });
  const readable = ROLES.map((role) => ({ label: ROLE_LABEL[role], to: `/ayuda/${OWN[role]}` as const })).filter(({ to }) => {
    const screen = findScreen(to);
    return screen && mayOpen(screen, user);
  });
  return (
    <>
      <PageHeader
        title="Ayuda"
        subtitle={parts?.[0].default.title}
        actions={
          readable.length > 1 && (
            <nav aria-label="Guías" className={classes.guides}>
              {readable.map(({ label, to }) => (
                <Link key={to} to={to} aria-current={to.endsWith(name) ? 'page' : undefined}>
                  {label}
                </Link>
              ))}
            </nav>
          )
        }
      />
      {parts ? <GuideText parts={parts} wide={wide} /> : <Skeletons heights={[200, 300, 300]} />}
    </>
  );
}

type Part = { default: Guide; pictures: Record<string, string> };

/** Contents and text of a guide, scrolled to the section that the address names. */
function GuideText({ parts, wide }: { parts: readonly Part[]; wide: boolean }) {
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
