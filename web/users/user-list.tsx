import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { PER_PAGE } from '../../contract/kit/pages.ts';
import type { Role } from '../../contract/policy/policy.ts';
import { deleteUser, listUsers, MUST_HAND_OVER, type User } from '../../contract/users/users.ts';
import { useApi, useMutate } from '../api.ts';
import { useSession } from '../session/session.ts';
import { confirm } from '../ui/dialog/confirm.ts';
import { DataTable } from '../ui/list/data-table.tsx';
import { FilterSelect, Filters } from '../ui/list/filters.tsx';
import { matches, pageOf, sortedBy } from '../ui/list/local-list.ts';
import { SearchInput } from '../ui/list/search-input.tsx';
import { useSearchState } from '../ui/list/search-state.ts';
import { EarningsDialog } from './earnings-dialog.tsx';
import { HandOver } from './hand-over.tsx';
import { InvitationDialog } from './invitation-dialog.tsx';
import { MadeKeys } from './made-keys.tsx';
import { ROLE_WORDS } from './role-words.ts';
import { showRefusal, useUserCreated } from './saved.ts';
import { UserDialog } from './user-dialog.tsx';
import { userColumns } from './users.columns.tsx';

const ACTIVO: Partial<Record<string, string>> = { si: 'Con acceso', invitado: 'Invitados', no: 'Sin acceso' };
const accessOf = ({ is_active, invited }: User) => (!is_active ? 'no' : invited ? 'invitado' : 'si');
const SORTS = ['full_name', 'email', 'is_active', 'pedidos_abiertos', 'last_access_at', 'created_at'] as const;

/** Users of a role: search, create, edit, delete. The dialog of `named`, or for a new person, is open initially. */
export function UserList({ role, named, creating }: { role: Role; named: User | undefined; creating: boolean }) {
  const { singular, plural } = ROLE_WORDS[role];
  const me = useSession();
  const [{ search, activo, sort, dir, page }, setList] = useSearchState({ search: '', activo: '', sort: 'full_name', dir: 'asc', page: 1 });
  const { data, error, refetch, isFetching } = useApi(listUsers, { query: { role } });
  const [dialog, setDialog] = useState<{ opened: boolean; user?: User }>(named ? { opened: true, user: named } : { opened: creating });
  // Joins the refetch that a write may have started, instead of a second request.
  useUserCreated(() => void refetch({ cancelRefetch: false }));

  const [invited, setInvited] = useState<User>();
  const [earner, setEarner] = useState<User>();
  const edit = (user: User) => setDialog({ opened: true, user });
  const askToDelete = useAskToDelete();

  const people = data?.data;
  const by = SORTS.find((key) => key === sort) ?? 'full_name';
  const direction = dir === 'desc' ? 'desc' : 'asc';
  const found = people?.filter(
    (user) => matches(search, user.full_name, user.email, user.username) && (!ACTIVO[activo] || accessOf(user) === activo),
  );
  const sorted = found && sortedBy(found, (user) => user[by] ?? '', direction);
  const current = sorted && pageOf(sorted, page);
  const actions = { me, onEdit: edit, onEarnings: setEarner, onInvitation: setInvited, onDelete: askToDelete };

  return (
    <>
      <Group justify="space-between" align="flex-start" mb="sm">
        <Box flex="1 1 20rem">
          <Filters>
            <SearchInput
              value={search}
              placeholder="Buscar por nombre, email o usuario..."
              onChange={(text) => setList({ search: text }, { replace: true })}
            />
            <FilterSelect
              label="Acceso"
              w="9.5rem"
              data={Object.entries({ '': 'Acceso: todos', ...ACTIVO }).map(([value, label]) => ({ value, label }))}
              value={ACTIVO[activo] ? activo : ''}
              onChange={(value) => setList({ activo: value })}
            />
          </Filters>
        </Box>
        <Group>
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setDialog({ opened: true })}>
            Crear {singular}
          </Button>
        </Group>
      </Group>
      <Text c="dimmed" mb="xs" role="status" mih="1.5em">
        {people ? summary(people, plural, singular) : error ? '' : 'Cargando usuarios...'}
      </Text>
      <DataTable
        label={ROLE_WORDS[role].tab}
        rows={current?.data}
        columns={userColumns(role, actions, people?.some(({ invited }) => invited) ?? false)}
        empty={
          people?.length
            ? { title: `Ningún ${singular} coincide con la búsqueda`, hint: 'Prueba con otro nombre, email o usuario, o con otro acceso.' }
            : { title: `No hay ${plural} registrados`, hint: `Crea el primer ${singular} para comenzar` }
        }
        error={{ title: 'No se pudieron cargar los usuarios', cause: error, onRetry: () => void refetch() }}
        busy={isFetching && !people}
        pages={found && found.length > PER_PAGE ? { of: current, noun: plural, onPage: (next) => setList({ page: next }) } : undefined}
        sort={{ by, dir: direction, onSort: (key, next) => setList({ sort: key, dir: next }) }}
        onRow={edit}
        pinLast
      />
      <InvitationDialog user={invited} onClose={() => setInvited(undefined)} />
      <EarningsDialog user={earner} onClose={() => setEarner(undefined)} />
      <UserDialog role={role} user={dialog.user} opened={dialog.opened} onClose={() => setDialog((now) => ({ ...now, opened: false }))} />
    </>
  );
}

function summary(people: User[], plural: string, singular: string): string {
  if (people.length === 0) return '';
  const { no: inactive = [], invitado: invited = [] } = Object.groupBy(people, accessOf);
  const parts = [invited.length > 0 && `${invited.length} por entrar`, inactive.length > 0 && `${inactive.length} sin acceso`];
  return [`${people.length} ${people.length === 1 ? singular : plural}`, ...parts.filter(Boolean)].join(', ');
}

/** Returns a function that deletes a user after confirmation, and asks who gets their open orders and whether to revoke their keys. */
function useAskToDelete() {
  const remove = useMutate(deleteUser, {
    success: 'Usuario eliminado',
    failure: false,
    onError: (cause) => showRefusal('delete', cause),
  });
  return (user: User) => {
    let heir = '';
    let revokes = false;
    void confirm({
      title: 'Eliminar Usuario',
      message: (
        <Stack>
          <Text size="md">
            ¿Deseas eliminar a <strong>{user.full_name}</strong>? Esta acción no se puede deshacer y el usuario ya no podrá acceder al
            sistema. Su nombre se conserva en los pedidos.
          </Text>
          {user.pedidos_abiertos > 0 && (
            <HandOver user={user} optional={!MUST_HAND_OVER.includes(user.role)} onChoose={(id) => (heir = id)} />
          )}
          <MadeKeys user={user} onChoose={(chosen) => (revokes = chosen)} />
        </Stack>
      ),
      confirm: 'Eliminar',
      danger: true,
      action: () =>
        remove.mutateAsync({
          params: { id: user.id },
          query: { pedidos_a: heir || undefined, revocar_claves: revokes ? 'si' : undefined },
        }),
    });
  };
}
