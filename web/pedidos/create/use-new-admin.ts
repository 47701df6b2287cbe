import { useState } from 'react';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import type { Pack } from '../../../contract/products/products.ts';
import { useUnsaved } from '../../ui/form/unsaved.ts';
import { toast } from '../../ui/page/toast.tsx';
import { packProblem } from '../lineas/pack-picker.tsx';
import { useCreate } from './use-create.ts';

const REQUIRED = 'Completa los campos obligatorios';

/** Form of a superadmin's new order (specification, sections 2.9 and 5). */
export function useNewAdmin(packs: readonly Pack[] | undefined, leave: () => void) {
  // Set only for an order to pay by link, which stays on screen to share the link.
  const [created, setCreated] = useState<Pedido>();
  const create = useCreate({
    required: REQUIRED,
    packProblem: (id) => packProblem(packs, id, REQUIRED),
    success: 'Pedido creado correctamente',
    onCreated: (pedido) => {
      create.form.resetDirty();
      if (pedido.estado === 'pendiente_pago') setCreated(pedido);
      else leave();
    },
    onFailure: (error) => toast.failure(error, 'No se pudo crear el pedido'),
    list: 'la lista',
  });
  const { form } = create;
  // `isDirty()` alone does not notice added or removed lines.
  useUnsaved(() => form.isDirty('lineas') || form.isDirty());
  const { lineas, cliente_nombre, cliente_direccion } = form.values;
  const filled = lineas.every(({ libre, producto, pack_id }) => (libre ? producto.trim() : pack_id));
  const another = () => {
    setCreated(undefined);
    create.restart();
  };
  return { ...create, created, another, complete: filled && !!cliente_nombre.trim() && !!cliente_direccion.trim() };
}
