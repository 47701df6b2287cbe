import '@mantine/core/styles/Tabs.css';
import { Tabs } from '@mantine/core';
import { IconShieldLock, IconTruckDelivery, IconUser } from '@tabler/icons-react';
import type { Role } from '../../contract/policy.ts';
import { useSearchState } from '../ui/list/search-state.ts';
import { PageHeader } from '../ui/page/page-header.tsx';
import { usePhone } from '../ui/page/use-phone.ts';
import { ROLE_WORDS } from './role-words.ts';
import { UserList } from './user-list.tsx';

const ICONS: Record<Role, typeof IconUser> = { revendedor: IconUser, transportista: IconTruckDelivery, superadmin: IconShieldLock };
const TABS = (Object.keys(ICONS) as Role[]).map((role) => ({ role, Icon: ICONS[role] }));

export default function UsersPage() {
  const [{ rol }, setSearch] = useSearchState({ rol: 'revendedor', search: '', activo: '', sort: 'full_name', dir: 'asc', page: 1 });
  const phone = usePhone();
  const open = TABS.find(({ role }) => role === rol)?.role ?? 'revendedor';

  return (
    <>
      <PageHeader title="Gestión de Usuarios" subtitle="Quién entra en el sistema y con qué papel" />
      <Tabs value={open} onChange={(role) => setSearch({ rol: role ?? open, search: '', activo: '' })} keepMounted={false}>
        <Tabs.List mb="md" grow={phone}>
          {TABS.map(({ role, Icon }) => (
            <Tabs.Tab
              key={role}
              value={role}
              px={phone ? 4 : undefined}
              leftSection={!phone && <Icon size={16} stroke={1.8} aria-hidden />}
            >
              {ROLE_WORDS[role].tab}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {TABS.map(({ role }) => (
          <Tabs.Panel key={role} value={role}>
            <UserList role={role} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  );
}
