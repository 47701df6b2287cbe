import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, Navigate, useLocation } from '@tanstack/react-router';
import { ROLE_LABEL, ROLES, type Role } from '../../contract/policy/policy.ts';
import { mayOpen, screenOf } from '../access.ts';
import { patiently } from '../lazy.ts';
import { useSession } from '../session/session.ts';
import { useSearchState } from '../ui/list/filters.tsx';
import { Skeletons } from '../ui/list/loaded.tsx';
import { PageHeader } from '../ui/page/panel.tsx';
import classes from './ayuda.module.css';
import { GuideText, type Part } from './guide.tsx';
import { sectionOf } from './sections.ts';

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
  if (desde) return <Navigate to="/ayuda" hash={sectionOf(desde) ?? ''} replace />;
  const name = isName(named) ? named : OWN[role];
  return <Shown key={name} name={name} />;
}

function Shown({ name }: { name: Name }) {
  const user = useSession();
  const wide = useMediaQuery('(min-width: 80em)', true, { getInitialValueInEffect: false });
  const { data: parts } = useQuery({
    queryKey: ['guia', name],
    queryFn: () => patiently(GUIDES[name]),
    staleTime: Infinity,
    throwOnError: true,
  });
  const readable = ROLES.map((role) => ({ label: ROLE_LABEL[role], to: `/ayuda/${OWN[role]}` as const })).filter(({ to }) => {
    const screen = screenOf(to);
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
