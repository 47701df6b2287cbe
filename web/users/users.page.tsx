import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { IconCopy, IconLinkOff, IconPlus, IconShieldLock, IconTruckDelivery, IconUser } from '@tabler/icons-react';
import { useState } from 'react';
import { PER_PAGE } from '../../contract/kit/pages.ts';
import type { Role } from '../../contract/policy/policy.ts';
import { plural } from '../../contract/text/plural.ts';
import {
  deleteUser,
  type Invitation,
  listUsers,
  MUST_HAND_OVER,
  renewInvitation,
  type User,
  withdrawInvitation,
} from '../../contract/users/users.ts';
import { useApi, useMutate } from '../api.ts';
import { useNextStep } from '../nav/first-steps.ts';
import { useSession } from '../session/session.ts';
import { confirm } from '../ui/dialog/confirm.ts';
import { Dialog } from '../ui/dialog/dialog.tsx';
import { fechaHora } from '../ui/format/format.ts';
import { DataTable } from '../ui/list/data-table.tsx';
import { FilterSelect, Filters, SearchInput, useSearchState } from '../ui/list/filters.tsx';
import { localPage, matches, sortedBy } from '../ui/list/local-list.ts';
import { ON, useNamed } from '../ui/list/use-named.ts';
import { PageTabs } from '../ui/page/page-tabs.tsx';
import { PageHeader } from '../ui/page/panel.tsx';
import { toast } from '../ui/page/toast.tsx';
import { EarningsDialog } from './earnings-dialog.tsx';
import { copyLink, HandOver, InviteLink, MadeKeys } from './hand-over.tsx';
import { ROLE_WORDS } from './role-words.ts';
import { showRefusal, useUserCreated } from './saved.ts';
import { UserDialog } from './user-dialog.tsx';
import { userColumns } from './users.columns.tsx';

const ICONS: Record<Role, typeof IconUser> = { revendedor: IconUser, transportista: IconTruckDelivery, superadmin: IconShieldLock };
const TABS = (Object.keys(ICONS) as Role[]).map((role) => ({ value: role, label: ROLE_WORDS[role].tab, Icon: ICONS[role] }));

export default function UsersPage() {
  const [{ rol, usuario }, setSearch] = useSearchState({
    rol: 'revendedor',
    usuario: '',
    search: '',
    activo: '',
    sort: 'full_name',
    dir: 'asc',
    page: 1,
  });
  const [named, setNamed] = useState<User>();
  const [creating, setCreating] = useState(false);
  // Users of all roles, because a link names only the user.
  const { data } = useApi(listUsers, {}, { enabled: usuario !== '' });
  useNamed('usuario', data?.data, (user) => {
    setNamed(user);
    return { rol: user.role };
  });
  useNamed('nuevo', ON, () => void setCreating(true));
  useNextStep();
  const open = TABS.find(({ value }) => value === rol)?.value ?? 'revendedor';

  const show = (role: string) => {
    setNamed(undefined);
    setCreating(false);
    setSearch({ rol: role, search: '', activo: '' });
  };

  return (
    <>
      <PageHeader title="Gestión de Usuarios" subtitle="Quién entra en el sistema y con qué papel" />
      <PageTabs tabs={TABS} open={open} onOpen={show}>
        <UserList
          key={`${open} ${named?.id ?? ''} ${creating}`}
          role={open}
          named={named?.role === open ? named : undefined}
          creating={creating}
        />
      </PageTabs>
    </>
  );
}

const ACTIVO: Partial<Record<string, string>> = { si: 'Con acceso', invitado: 'Invitados', no: 'Sin acceso' };
const accessOf = ({ is_active, invited }: User) => (!is_active ? 'no' : invited ? 'invitado' : 'si');
const SORTS = ['full_name', 'email', 'is_active', 'pedidos_abiertos', 'last_access_at', 'created_at'] as const;

/** Users of a role: search, create, edit, delete. The dialog of `named`, or for a new person, is open initially. */
function UserList({ role, named, creating }: { role: Role; named: User | undefined; creating: boolean }) {
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
  const current = sorted && localPage(sorted, page);
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

function summary(people: User[], many: string, singular: string): string {
  if (people.length === 0) return '';
  const { no: inactive = [], invitado: invited = [] } = Object.groupBy(people, accessOf);
  const parts = [invited.length > 0 && `${invited.length} por entrar`, inactive.length > 0 && `${inactive.length} sin acceso`];
  return [plural(people.length, singular, many), ...parts.filter(Boolean)].join(', ');
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

const InvitationDialog = ({ user, onClose }: { user: User | undefined; onClose: () => void }) => (
  <Dialog opened={!!user} onClose={onClose} size="md" title={`Invitación de ${user?.full_name ?? ''}`}>
    {user && <Content key={user.id} user={user} onDone={onClose} />}
  </Dialog>
);

function Content({ user, onDone }: { user: User; onDone: () => void }) {
  const [made, setMade] = useState<Invitation>();
  const { id, invite_until } = user;
  const renew = useMutate(renewInvitation, {
    success: false,
    failure: 'No se pudo crear el enlace',
    onSuccess: ({ data }) => {
      setMade(data);
      void copyLink(data).then((copied) => copied && toast.success('Enlace copiado'));
    },
  });
  const withdraw = useMutate(withdrawInvitation, { failure: 'No se pudo anular la invitación', onSuccess: onDone });
  if (made) return <InviteLink invitation={made} onDone={onDone} />;
  const busy = renew.isPending || withdraw.isPending;
  return (
    <Stack gap="md">
      <Text>
        {invite_until
          ? `Aún no ha entrado. Su enlace vale hasta el ${fechaHora(invite_until)}; el nuevo sustituye al anterior.`
          : 'Aún no ha entrado, y su enlace ya no vale.'}
      </Text>
      <Group justify="flex-end">
        {invite_until && (
          <Button
            variant="light"
            color="red"
            leftSection={<IconLinkOff size={16} aria-hidden />}
            disabled={busy}
            onClick={() => withdraw.mutate({ params: { id } })}
          >
            Anular
          </Button>
        )}
        <Button leftSection={<IconCopy size={16} aria-hidden />} disabled={busy} onClick={() => renew.mutate({ params: { id } })}>
          Copiar enlace de nuevo
        </Button>
      </Group>
    </Stack>
  );
}
