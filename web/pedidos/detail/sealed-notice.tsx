import '@mantine/core/styles/Alert.css';
import { Alert, Text } from '@mantine/core';
import { IconEyeOff, IconLock } from '@tabler/icons-react';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { fecha } from '../../ui/format/format.ts';

type Sealed = Partial<Pick<Pedido, 'anonimizado_at' | 'bloqueado_at'>>;

export function SealedNotice({ pedido: { anonimizado_at, bloqueado_at } }: { pedido: Sealed }) {
  if (anonimizado_at)
    return (
      <Alert color="gray" icon={<IconEyeOff size={18} />} title={`Datos anonimizados el ${fecha(anonimizado_at)}`} role="note">
        <Text>Ya no se sabe de quién es, y no se puede modificar ni repetir. Importes y fechas son los de entonces.</Text>
      </Alert>
    );
  if (!bloqueado_at) return null;
  return (
    <Alert color="gray" icon={<IconLock size={18} />} title="Datos bloqueados" role="note">
      <Text>Desde el {fecha(bloqueado_at)} no se ven los datos del cliente. Mientras, no se puede modificar ni repetir.</Text>
    </Alert>
  );
}
