import { Button } from '@mantine/core';
import { IconTruckDelivery } from '@tabler/icons-react';
import { ESTADO, POR_CARGAR } from '../../contract/pedidos/estados.ts';
import type { PedidoTransportista } from '../../contract/pedidos/pedidos.ts';
import { mayLeave } from '../../contract/pedidos/situation.ts';
import { confirm } from '../ui/dialog/confirm.ts';
import { TIME_TO_UNDO, toast } from '../ui/page/toast.tsx';
import { useLoad } from './use-load.ts';

/** «Salir con todos»: sends out the orders shown that may leave, after a question that counts them. */
export function LeaveAll({ pedidos, className }: { pedidos: readonly PedidoTransportista[]; className?: string | undefined }) {
  const { goOut, comeBack } = useLoad();
  const ready = pedidos.filter((pedido) => POR_CARGAR.includes(pedido.estado) && mayLeave(pedido));
  if (ready.length < 2) return null;
  const leave = async () => {
    const message = `${ready.length} pedidos pasan a «${ESTADO.en_ruta.label}».`;
    if (!(await confirm({ title: 'Salir a reparto', message, confirm: 'Salir con todos' }))) return;
    await goOut(ready);
    const action = { label: 'Deshacer', onClick: () => void comeBack(ready) };
    toast.success(`${ready.length} pedidos: ${ESTADO.en_ruta.label}`, { autoClose: TIME_TO_UNDO, action });
  };
  return (
    <div className={className}>
      <Button mih={44} px="xs" fullWidth leftSection={<IconTruckDelivery size={18} aria-hidden />} onClick={() => void leave()}>
        Salir con todos ({ready.length})
      </Button>
    </div>
  );
}
