import { type Menu as MenuType, Text } from '@mantine/core';
import { IconHelp, IconLogout, IconUser } from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';
import { ROLE_LABEL } from '../../contract/policy/policy.ts';
import { useSession } from '../session/session.ts';
import { useSignOut } from '../session/use-sign-out.ts';

/** Items of the person's menu, loaded after the first screen. */
export function PersonMenu({ Menu }: { Menu: typeof MenuType }) {
  const user = useSession();
  const { busy, leave } = useSignOut();
  const here = useLocation({ select: ({ pathname, searchStr }) => pathname + searchStr });
  return (
    <>
      <Menu.Label>
        <Text size="sm" fw={600} c="var(--mantine-color-text)" truncate>
          {user.full_name || ROLE_LABEL[user.role]}
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
    </>
  );
}
