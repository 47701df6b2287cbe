import { IconShieldLock, IconTruckDelivery, IconUser } from '@tabler/icons-react';
import { useState } from 'react';
import type { Role } from '../../contract/policy/policy.ts';
import { listUsers, type User } from '../../contract/users/users.ts';
import { useApi } from '../api.ts';
import { useSearchState } from '../ui/list/search-state.ts';
import { useNamed } from '../ui/list/use-named.ts';
import { PageHeader } from '../ui/page/page-header.tsx';
import { PageTabs } from '../ui/page/page-tabs.tsx';
import { ROLE_WORDS } from './role-words.ts';
import { UserList } from './user-list.tsx';

const ICONS: Record<Role, typeof IconUser> = { revendedor: IconUser, transportista: IconTruckDelivery, superadmin: IconShieldLock };
const TABS = (Object.keys(ICONS) as Role[]).map((role) => ({ value: role, label: ROLE_WORDS[role].tab, Icon: ICONS[role] }));
/** `?nuevo=si`: a link that opens the form for a new person. */
const NEW = [{ id: 'si' }];

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
  useNamed('nuevo', NEW, () => void setCreating(true));
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
          key={`${open} ${named?.id} ${creating}`}
          role={open}
          named={named?.role === open ? named : undefined}
          creating={creating}
        />
      </PageTabs>
    </>
  );
}
