import { type Devolucion, pedirResto } from '../../contract/devoluciones/devoluciones.ts';
import { useMutate } from '../api.ts';
import { confirm } from '../ui/dialog/confirm.ts';
import { money } from '../ui/format/format.ts';

/** Creates a second order for undelivered goods, after a question. */
export function useRest({ id, por_reembolsar: owed }: Devolucion) {
  const rest = useMutate(pedirResto, { failure: 'No se pudo crear el pedido del resto' });
  const pays = owed > 0 ? ` Los ${money(owed)} por reembolsar pasan al pedido nuevo.` : '';
  return () =>
    void confirm({
      title: 'Entregar el resto',
      message: `Se creará otro pedido con lo que no se entregó, al precio acordado y sin gastos de envío.${pays}`,
      confirm: 'Crear el pedido',
      action: () => rest.mutateAsync({ params: { id } }),
    });
}
