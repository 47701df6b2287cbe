import { Link, useLocation } from '@tanstack/react-router';
import { screenParts } from '../../nav/nav-items.ts';
import { useSession } from '../../session/session.ts';
import classes from './entregas-tabs.module.css';

/** Links between «Entregas», «Caja» and «Envíos»; renders nothing for roles that reach «Caja» and «Envíos» elsewhere. */
export function EntregasTabs() {
  const user = useSession();
  const here = useLocation({ select: ({ pathname }) => pathname });
  const parts = screenParts('/entregas', user.role, user);
  if (parts.length === 0) return null;
  return (
    <nav aria-label="Partes de Entregas" className={classes.tabs}>
      {parts.map(({ path, label }) => (
        <Link key={path} to={path} aria-current={path === here ? 'page' : undefined}>
          {label}
        </Link>
      ))}
    </nav>
  );
}
