import { ActionIcon, Text, Tooltip } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';
import { ROLE_LABEL } from '../../contract/policy/policy.ts';
import { version } from '../../package.json';
import { NAV_ICON } from '../nav/nav-icons.ts';
import { GROUPS, highlightedItem, itemsFor, type NavItem } from '../nav/nav-items.ts';
import { useSession } from '../session/session.ts';
import { useSignOut } from '../session/use-sign-out.ts';
import { Logo } from '../ui/page/logo.tsx';
import classes from './navigation.module.css';

/** Side navigation (specification, section 2.2); icons with tooltips when collapsed. */
export function Navigation({ collapsed = false, onNavigate }: { collapsed?: boolean; onNavigate?: () => void }) {
  const user = useSession();
  const { busy, leave } = useSignOut();
  const items = user.pending ? [] : itemsFor(user.role, user);
  const active = useLocation({ select: ({ pathname }) => highlightedItem(pathname, user.role, user) });

  const link = ({ path, label, nav }: NavItem) => {
    const Icon = NAV_ICON[nav.icon];
    return (
      <li key={path}>
        <Tooltip label={label} position="right" disabled={!collapsed}>
          <Link
            to={path}
            className={classes.link}
            aria-current={path === active ? 'page' : undefined}
            aria-label={collapsed ? label : undefined}
            // The router marks every matching prefix as current; only the longest match is current.
            activeProps={{ 'aria-current': path === active ? 'page' : undefined }}
            onClick={onNavigate}
          >
            <Icon size={18} stroke={1.7} />
            {!collapsed && <span className={classes.label}>{label}</span>}
          </Link>
        </Tooltip>
      </li>
    );
  };

  return (
    <Tooltip.Group openDelay={700} closeDelay={300}>
      <div className={classes.root} data-collapsed={collapsed || undefined}>
        <div className={classes.brand}>
          <Logo size={24} />
          {!collapsed && <span>Enruta</span>}
        </div>
        <nav aria-label="Navegación" className={classes.menu}>
          {GROUPS.map(({ group, heading }) => {
            const own = items.filter(({ nav }) => nav.group === group);
            if (!own.length) return null;
            return (
              <div key={group} className={classes.group}>
                {!collapsed && (
                  <Text size="md" component="h2" className={classes.heading}>
                    {heading}
                  </Text>
                )}
                <ul className={classes.list}>{own.map(link)}</ul>
              </div>
            );
          })}
        </nav>
        <div className={classes.foot}>
          {!collapsed && (
            <div className={classes.who}>
              <Text fw={600} truncate>
                {user.full_name || ROLE_LABEL[user.role]}
              </Text>
              <Text size="xs" c="dimmed" truncate>
                {user.email}
              </Text>
              <Text variant="detail">Enruta {version}</Text>
            </div>
          )}
          <Tooltip label="Cerrar sesión" position="right">
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              loading={busy}
              onClick={leave}
              aria-label="Cerrar sesión"
              title="Cerrar sesión"
            >
              <IconLogout size={18} stroke={1.7} />
            </ActionIcon>
          </Tooltip>
        </div>
      </div>
    </Tooltip.Group>
  );
}
