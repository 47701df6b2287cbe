import { Anchor, Badge, Group, Text } from '@mantine/core';
import { IconCoinEuro, IconLink, IconPencil, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { isGana } from '../../contract/liquidaciones/fields.ts';
import { ABIERTOS, EN_MANOS } from '../../contract/pedidos/estados.ts';
import { can, type Role } from '../../contract/policy/policy.ts';
import type { SessionUser } from '../../contract/session/session.ts';
import type { User } from '../../contract/users/users.ts';
import { ActiveBadge } from '../ui/format/active-badge.tsx';
import { fecha, fechaHora, number } from '../ui/format/format.ts';
import { RowAction } from '../ui/list/row-action.tsx';
import type { Column } from '../ui/list/table-props.ts';

export type UserActions = {
  me: SessionUser;
  onEdit: (user: User) => void;
  onEarnings: (user: User) => void;
  onInvitation: (user: User) => void;
  onDelete: (user: User) => void;
};

const lastAccess = ({ last_access_at }: User) => (last_access_at ? fechaHora(last_access_at) : 'Nunca');

const Name = ({ user, me }: { user: User; me: SessionUser }) => (
  <Group gap={8} wrap="nowrap" miw={0}>
    <Text inherit fw={600} miw="7rem" style={{ overflowWrap: 'anywhere' }}>
      {user.full_name}
    </Text>
    {user.id === me.id && (
      <Badge color="gray" style={{ flexShrink: 0 }}>
        Tú
      </Badge>
    )}
  </Group>
);

const Email = ({ user }: { user: User }) => (
  <>
    <Text inherit miw="11rem" style={{ overflowWrap: 'anywhere' }}>
      {user.email}
    </Text>
    {user.username && <Text variant="detail">Usuario: {user.username}</Text>}
    {user.invited && (
      <Text size="xs" fw={600}>
        Invitado, aún no ha entrado{user.invite_until ? '' : ': su enlace ya no vale'}
      </Text>
    )}
  </>
);

function Actions({ user, me, onEdit, onEarnings, onInvitation, onDelete }: { user: User } & UserActions) {
  const to = `a ${user.full_name}`;
  return (
    <>
      <RowAction name="Editar" label={`Editar ${to}`} Icon={IconPencil} onClick={() => onEdit(user)} />
      {isGana(user.role) && (
        <RowAction name="Lo que gana" label={`Lo que gana ${user.full_name}`} Icon={IconCoinEuro} onClick={() => onEarnings(user)} />
      )}
      {user.invited && user.is_active && (
        <RowAction name="Invitación" label={`Invitación de ${user.full_name}`} Icon={IconLink} onClick={() => onInvitation(user)} />
      )}
      {can(me, 'user:delete', user) && (
        <RowAction name="Eliminar" label={`Eliminar ${to}`} Icon={IconTrash} danger onClick={() => onDelete(user)} />
      )}
    </>
  );
}

const OPEN_IN: Partial<Record<Role, { filter: 'revendedor_id' | 'transportista_id'; estado: string }>> = {
  revendedor: { filter: 'revendedor_id', estado: ABIERTOS.join(',') },
  transportista: { filter: 'transportista_id', estado: EN_MANOS.join(',') },
};

function OpenOrders({ user: { id, role, full_name, pedidos_abiertos } }: { user: User }) {
  const list = OPEN_IN[role];
  if (!list || pedidos_abiertos === 0) return <>0</>;
  return (
    <Anchor
      inherit
      aria-label={`${number(pedidos_abiertos)} pedidos abiertos de ${full_name}`}
      renderRoot={(props) => <Link {...props} to="/pedidos" search={{ [list.filter]: id, estado: list.estado }} />}
    >
      {number(pedidos_abiertos)}
    </Anchor>
  );
}

/** `invited`: true if some rows have an extra action for their invitation. */
export const userColumns = (role: Role, actions: UserActions, invited: boolean): Column<User>[] => [
  { key: 'full_name', at: 'title', title: 'Nombre', sortable: true, width: '27%', render: (user) => <Name user={user} me={actions.me} /> },
  { key: 'email', at: 'line', title: 'Email', sortable: true, render: (user) => <Email user={user} /> },
  {
    key: 'is_active',
    at: 'aside',
    title: 'Activo',
    sortable: true,
    width: 84,
    render: (user) => <ActiveBadge active={user.is_active} yes="Sí" no="No" />,
  },
  ...(OPEN_IN[role]
    ? [
        {
          key: 'pedidos_abiertos',
          at: 'labelled' as const,
          title: 'Abiertos',
          sortable: true,
          width: 92,
          align: 'right' as const,
          render: (user: User) => <OpenOrders user={user} />,
        },
      ]
    : []),
  {
    key: 'last_access_at',
    at: 'labelled',
    title: 'Último acceso',
    sortable: true,
    width: 136,
    render: (user) => lastAccess(user),
  },
  {
    key: 'created_at',
    at: 'labelled',
    title: 'Creado',
    sortable: true,
    width: 98,
    render: (user) => fecha(user.created_at),
  },
  {
    key: 'actions',
    at: 'foot',
    title: 'Acciones',
    width: invited ? 152 : 120,
    align: 'right',
    render: (user) => (
      <Group gap={4} justify="flex-end">
        <Actions user={user} {...actions} />
      </Group>
    ),
  },
];
