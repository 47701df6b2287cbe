import { IconShieldLock, IconTruckDelivery, IconUser } from '@tabler/icons-react';
import type { Role } from '../../contract/policy.ts';
import { useSearchState } from '../ui/list/search-state.ts';
import { PageHeader } from '../ui/page/page-header.tsx';
import { PageTabs } from '../ui/page/page-tabs.tsx';
import { ROLE_WORDS } from './role-words.ts';
import { UserList } from './user-list.tsx';

const ICONS: Record<Role, typeof IconUser> = { revendedor: IconUser, transportista: IconTruckDelivery, superadmin: IconShieldLock };
const TABS = (Object.keys(ICONS) as Role[]).map((role) => ({ value: role, label: ROLE_WORDS[role].tab, Icon: ICONS[role] }));

export default function UsersPage() {
  const [{ rol }, setSearch] = useSearchState({ rol: 'revendedor', search: '', activo: '', sort: 'full_name', dir: 'asc', page: 1 });
  const open = TABS.find(({ value }) => value === rol)?.value ?? 'revendedor';

  return (
    <>
      <PageHeader title="Gestión de Usuarios" subtitle="Quién entra en el sistema y con qué papel" />
      <PageTabs tabs={TABS} open={open} onOpen={(role) => setSearch({ rol: role, search: '', activo: '' })}>
        <UserList role={open} />
      </PageTabs>
    </>
  );
}
