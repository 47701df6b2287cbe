import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconTruckDelivery } from '@tabler/icons-react';
import { POR_CARGAR } from '../../contract/pedidos/estados.ts';
import type { PedidoTransportista } from '../../contract/pedidos/pedidos.ts';
import { mayLeave } from '../../contract/pedidos/situation.ts';
import { LabelMenu } from '../etiquetas/label-menu.tsx';
import { townOf } from '../pedidos/address.ts';
import { confirm } from '../ui/dialog/confirm.ts';
import classes from './carga.module.css';
import { LoadButton } from './found.tsx';

type Props = {
  /** Own orders that have not left yet. */
  pedidos: readonly PedidoTransportista[];
  onLoad: (pedido: PedidoTransportista, cargado: boolean) => void;
  onGoOut: (pedidos: readonly PedidoTransportista[]) => Promise<unknown>;
};

export function LoadingList({ pedidos, onLoad, onGoOut }: Props) {
  const missing = pedidos.filter((pedido) => pedido.cargado_at === null && mayLeave(pedido));
  const loaded = pedidos.filter(({ cargado_at }) => cargado_at !== null);
  // What does not leave stays behind, even if loaded.
  const ready = loaded.filter(mayLeave);
  async function leave() {
    const left = `${missing.length === 1 ? 'Falta 1 pedido' : `Faltan ${missing.length} pedidos`} por cargar: se ${missing.length === 1 ? 'queda como está' : 'quedan como están'}.`;
    const sure = missing.length === 0 || (await confirm({ title: 'Salir a reparto', message: left, confirm: 'Salir con los cargados' }));
    if (sure) await onGoOut(ready);
  }
  if (pedidos.length === 0) return <Text c="dimmed">No tienes pedidos por cargar.</Text>;
  return (
    <Stack gap="md">
      <Part title="Faltan" pedidos={missing} onLoad={onLoad} />
      <Part title="Cargados" pedidos={loaded} onLoad={onLoad} />
      <Group>
        {ready.length > 0 && (
          <Button mih={44} leftSection={<IconTruckDelivery size={18} aria-hidden />} onClick={() => void leave()}>
            Salir a reparto con {ready.length === 1 ? 'el cargado' : `los ${ready.length} cargados`}
          </Button>
        )}
        {/* Filters by estado, because the ids of a full van do not fit an address. */}
        <LabelMenu thumb chosen={{ todos: 'si', estado: POR_CARGAR.join(',') }} />
      </Group>
    </Stack>
  );
}

const Part = ({ title, pedidos, onLoad }: Pick<Props, 'pedidos' | 'onLoad'> & { title: string }) => (
  <section aria-label={title}>
    <Title order={3} size="h5">
      {title} ({pedidos.length})
    </Title>
    <Stack component="ul" gap={0}>
      {pedidos.map((pedido) => (
        <li key={pedido.id} className={classes.item}>
          <Text>
            <strong>{pedido.numero_orden}</strong> · {pedido.cliente_nombre}, {townOf(pedido)}
          </Text>
          <LoadButton pedido={pedido} onLoad={onLoad} />
        </li>
      ))}
    </Stack>
  </section>
);
