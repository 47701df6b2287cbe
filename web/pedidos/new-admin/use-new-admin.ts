import { useForm } from '@mantine/form';
import { useRef } from 'react';
import { createPedido } from '../../../contract/pedidos.ts';
import type { Pack } from '../../../contract/products.ts';
import { useMutate } from '../../api.ts';
import { focusFirst } from '../../ui/form/focus-first.ts';
import { useUnsaved } from '../../ui/form/unsaved.ts';
import { toast } from '../../ui/page/toast.tsx';
import { clienteBody, clienteRules } from '../cliente-values.ts';
import { EMPTY, type NewPedidoValues, newKey } from '../new/draft.ts';
import { CANTIDAD, cantidadOf } from '../new/quantity.ts';

type Values = NewPedidoValues & { revendedor_id: string };

const REQUIRED = 'Completa los campos obligatorios';
const PACK = 'Selecciona un pack válido';

/** Form of a superadmin's new order, submitted at most once (specification, sections 2.9 and 5). */
export function useNewAdmin(packs: readonly Pack[] | undefined, onCreated: () => void) {
  // Idempotency key: resending the same form creates no second order.
  const key = useRef(newKey());
  const sending = useRef(false);
  const form = useForm<Values>({
    initialValues: { ...EMPTY, revendedor_id: '' },
    validate: {
      ...clienteRules(REQUIRED),
      pack_id: (value) => (!value ? REQUIRED : packs?.some((pack) => pack.id === value) ? null : PACK),
      cantidad: CANTIDAD.rule,
    },
    validateInputOnBlur: CANTIDAD.onBlur,
  });
  useUnsaved(() => form.isDirty());

  const create = useMutate(createPedido, {
    success: 'Pedido creado correctamente',
    failure: false,
    form,
    onSuccess: () => {
      form.resetDirty();
      onCreated();
    },
    onError: (error) => {
      if (error.code === 'idempotency') {
        key.current = newKey();
        toast.error('El envío anterior de este formulario sí creó un pedido. Compruébalo en la lista antes de crear otro.');
      } else toast.failure(error, 'No se pudo crear el pedido');
      focusFirst(form, error.errors);
    },
  });

  const submit = form.onSubmit(
    ({ pack_id, cantidad, revendedor_id, ...cliente }) => {
      // A double click submits again before the button re-renders disabled.
      if (sending.current) return;
      sending.current = true;
      const body = { ...clienteBody(cliente), pack_id, cantidad: cantidadOf(cantidad) ?? 1, revendedor_id: revendedor_id || null };
      const settled = () => {
        sending.current = false;
      };
      create.mutateAsync({ body, headers: { 'idempotency-key': key.current } }).then(settled, settled);
    },
    (errors) => {
      toast.error(String(Object.values(errors)[0]));
      focusFirst(form, errors);
    },
  );

  const { pack_id, cliente_nombre, cliente_direccion } = form.values;
  const complete = !!pack_id && !!cliente_nombre.trim() && !!cliente_direccion.trim();
  return { form, submit, complete, saving: create.isPending };
}
