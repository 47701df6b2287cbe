import { ActionIcon, Menu, Text, UnstyledButton, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import {
  IconChevronDown,
  IconHelp,
  IconLayoutSidebar,
  IconLogout,
  IconMenu2,
  IconMoon,
  IconRefresh,
  IconSun,
  IconUser,
} from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ROLE_LABEL } from '../../contract/policy/policy.ts';
import { CommandButton } from '../command-box/command-button.tsx';
import { LiveSign } from '../live/live-sign.tsx';
import { Bell } from '../notifications/bell.tsx';
import { useSession } from '../session/session.ts';
import { useSignOut } from '../session/use-sign-out.ts';
import { Tip } from '../ui/page/tip.tsx';
import classes from './header.module.css';

type Props = { phone: boolean; navigationOpen: boolean; onToggle: () => void };

export function Header({ phone, navigationOpen, onToggle }: Props) {
  const { setColorScheme } = useMantineColorScheme();
  const dark = useComputedColorScheme('light') === 'dark';
  // While a step in the account is pending, the search, the live sign and the bell are hidden.
  const { pending } = useSession();
  const toggleLabel = phone ? 'Abrir la navegación' : navigationOpen ? 'Contraer la navegación' : 'Expandir la navegación';

  return (
    <header className={classes.root}>
      <Button label={toggleLabel} hint={phone ? undefined : 'Ctrl B'} expanded={navigationOpen} onClick={onToggle}>
        {phone ? <IconMenu2 size={20} stroke={1.7} /> : <IconLayoutSidebar size={20} stroke={1.7} />}
      </Button>
      {!pending && <CommandButton />}
      <div className={classes.end}>
        {!pending && <LiveSign />}
        {!pending && <Bell />}
        <Button label="Actualizar" onClick={() => location.reload()}>
          <IconRefresh size={18} stroke={1.7} />
        </Button>
        <Button label={dark ? 'Cambiar a tema claro' : 'Cambiar a tema oscuro'} onClick={() => setColorScheme(dark ? 'light' : 'dark')}>
          {dark ? <IconSun size={18} stroke={1.7} /> : <IconMoon size={18} stroke={1.7} />}
        </Button>
        <Person />
      </div>
    </header>
  );
}

type ButtonProps = { label: string; hint?: string | undefined; expanded?: boolean; onClick: () => void; children: ReactNode };

const Button = ({ label, hint, expanded, onClick, children }: ButtonProps) => (
  <Tip label={hint ? `${label} (${hint})` : label}>
    <ActionIcon variant="subtle" color="gray" size="lg" aria-label={label} aria-expanded={expanded} onClick={onClick}>
      {children}
    </ActionIcon>
  </Tip>
);

const initialsOf = (name: string) =>
  name
    .split(' ')
    .slice(0, 2)
    .map((word) => word[0])
    .join('')
    .toUpperCase();

function Person() {
  const user = useSession();
  const { busy, leave } = useSignOut();
  const here = useLocation({ select: ({ pathname, searchStr }) => pathname + searchStr });
  const name = user.full_name || ROLE_LABEL[user.role];
  return (
    <Menu width="16rem">
      <Menu.Target>
        <UnstyledButton className={classes.person}>
          <span className={classes.initials} aria-hidden>
            {initialsOf(name)}
          </span>
          <span className={classes.names}>
            <Text component="span" fw={600} truncate>
              {name}
            </Text>
            <Text component="span" size="xs" c="dimmed" truncate>
              {user.email}
            </Text>
          </span>
          <IconChevronDown size={14} className={classes.chevron} />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text fw={600} c="var(--mantine-color-text)" truncate>
            {name}
          </Text>
          <Text size="xs" truncate>
            {user.email}
          </Text>
          <Text size="xs">{ROLE_LABEL[user.role]}</Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item component={Link} to="/mi-cuenta" leftSection={<IconUser size={16} stroke={1.7} />}>
          Mi cuenta
        </Menu.Item>
        {!user.pending && (
          <Menu.Item
            renderRoot={(props) => <Link {...props} to="/ayuda" search={{ desde: here }} />}
            leftSection={<IconHelp size={16} stroke={1.7} />}
          >
            Ayuda
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconLogout size={16} stroke={1.7} />} disabled={busy} onClick={leave}>
          Cerrar sesión
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
