import { Button, Group } from '@mantine/core';
import { IconTruckDelivery } from '@tabler/icons-react';
import { dayPlace } from '../../contract/pedidos/day.ts';
import { ESTADO } from '../../contract/pedidos/estados.ts';
import type { PedidoTransportista } from '../../contract/pedidos/pedidos.ts';
import { mayLoad } from '../../contract/pedidos/situation.ts';
import { plural } from '../../contract/text/plural.ts';
import { confirm } from '../ui/dialog/confirm.ts';
import { clock, fechaCercana } from '../ui/format/format.ts';
import { TIME_TO_UNDO, toast } from '../ui/page/toast.tsx';
import { useLoad } from './use-load.ts';

type Orders = readonly PedidoTransportista[];

/** «Salir con todos»: sends out the orders shown that may leave, those of today alone if others leave too early, after a question that counts them. */
export function LeaveAll({ pedidos, className }: { pedidos: Orders; className?: string | undefined }) {
  const { goOut, comeBack } = useLoad();
  const ready = pedidos.filter(mayLoad);
  if (ready.length < 2) return null;
  const due = ready.filter((pedido) => dayPlace(pedido, clock()) === 'toca');
  const leave = async (orders: Orders) => {
    const early = orders.filter((pedido) => !due.includes(pedido));
    const message = [`Salen ${orders.length} pedidos.`, early.length > 0 && earlyWords(early)].filter(Boolean).join(' ');
    if (!(await confirm({ title: 'Salir a reparto', message, confirm: 'Salir con todos' }))) return;
    await goOut(orders);
    const action = { label: 'Deshacer', onClick: () => void comeBack(orders) };
    toast.success(`${orders.length} pedidos: ${ESTADO.en_ruta.label}`, { autoClose: TIME_TO_UNDO, action });
  };
  const icon = <IconTruckDelivery size={18} aria-hidden />;
  const isSplit = due.length > 0 && due.length < ready.length;
  return (
    <Group className={className} grow>
      {isSplit && (
        <Button mih={48} px="xs" leftSection={icon} onClick={() => void leave(due)}>
          Salir con los de hoy ({due.length})
        </Button>
      )}
      <Button
        mih={48}
        px="xs"
        variant={isSplit ? 'default' : 'filled'}
        leftSection={isSplit ? undefined : icon}
        onClick={() => void leave(ready)}
      >
        Salir con todos ({ready.length})
      </Button>
    </Group>
  );
}

/** «5 no son para hoy: 4 para el lunes 30, 1 sin fecha. ¿Salen?» */
function earlyWords(early: Orders): string {
  const days = new Map<string, number>();
  for (const { fecha_estimada } of early) {
    const day = fecha_estimada ? `para el ${fechaCercana(fecha_estimada)}` : 'sin fecha';
    days.set(day, (days.get(day) ?? 0) + 1);
  }
  const which = [...days].map(([day, count]) => `${count} ${day}`).join(', ');
  return `${plural(early.length, 'no es', 'no son')} para hoy: ${which}. ¿Salen?`;
}
