import '@mantine/core/styles/Alert.css';
import '@mantine/core/styles/List.css';
import { Alert, Checkbox, List } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { isKeyActive, listApiKeys } from '../../contract/api-keys/api-keys.ts';
import { roleMay } from '../../contract/policy/policy.ts';
import type { User } from '../../contract/users/users.ts';
import { useApi } from '../api.ts';
import { ago } from '../ui/format/format.ts';

/** Lists the valid API keys that a leaving user created, and offers to revoke them. */
export function MadeKeys({ user, onChoose }: { user: User; onChoose: (revoke: boolean) => void }) {
  const { data } = useApi(listApiKeys, {}, { enabled: roleMay(user.role, 'apikey:manage') });
  const keys = (data?.data ?? []).filter((key) => key.creada_por_id === user.id && isKeyActive(key));
  if (keys.length === 0) return null;
  const one = keys.length === 1;
  return (
    <Alert
      color="orange"
      role="note"
      icon={<IconKey size={18} aria-hidden />}
      title={one ? 'Hizo 1 clave de API que sigue valiendo' : `Hizo ${keys.length} claves de API que siguen valiendo`}
    >
      <List size="sm" mb="xs">
        {keys.map(({ id, nombre, usada_at }) => (
          <List.Item key={id}>
            {nombre} ({usada_at ? `usada ${ago(usada_at)}` : 'sin usar'})
          </List.Item>
        ))}
      </List>
      <Checkbox
        label={one ? 'Revocarla también' : 'Revocarlas también'}
        description="El programa que la usa dejará de entrar en ese momento"
        onChange={(event) => onChoose(event.currentTarget.checked)}
      />
    </Alert>
  );
}
