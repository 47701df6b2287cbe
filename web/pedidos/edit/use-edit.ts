import { useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import { writable } from '../../../contract/pedidos/access.ts';
import { getPedido, isWhole, type Pedido, updatePedido } from '../../../contract/pedidos/pedidos.ts';
import { call, useMutate } from '../../api.ts';
import { useSession } from '../../session/session.ts';
import { compare, type Difference } from '../../ui/form/conflict.ts';
import { focusFirst, onValid } from '../../ui/form/focus-first.ts';
import { isoDay } from '../../ui/format/format.ts';
import { toast } from '../../ui/page/toast.tsx';
import { askDoubts } from '../cliente/ask-doubts.ts';
import { type ClienteValues, clienteBody, clienteFrom, clienteRules } from '../cliente/cliente-values.ts';

/** Reason why an order is partly or wholly read-only; undefined if every field can be edited. */
export function restriction({ estado, deleted_at }: Pick<Pedido, 'estado' | 'deleted_at'>): string | undefined {
  if (deleted_at) return 'El pedido está eliminado: no se puede modificar.';
  if (estado === 'cancelado') return 'El pedido está cancelado: no se puede modificar.';
  if (estado === 'completado') return 'El pedido está completado: solo se pueden cambiar las instrucciones.';
  return undefined;
}

export type EditValues = ClienteValues & { /** yyyy-MM-dd, or empty. */ fecha_estimada: string };

const valuesOf = (pedido: Pedido): EditValues => ({
  ...clienteFrom(pedido),
  fecha_estimada: pedido.fecha_estimada ? isoDay(pedido.fecha_estimada) : '',
});

/** Edits an order, saved with the version that filled the form; after a conflict `differences` are the fields that differ. */
export function useEdit(initial: Pedido, onSaved: () => void) {
  const actor = useSession();
  // Order from which the form was filled. Background refetches replace this order only while the form is untouched.
  const [base, setBase] = useState(initial);
  const [differences, setDifferences] = useState<Difference<keyof EditValues>[]>();
  const form = useForm({ initialValues: valuesOf(initial), validate: clienteRules('Completa los campos obligatorios') });

  const save = useMutate(updatePedido, {
    success: false,
    failure: false,
    form,
    onSuccess: ({ message }) => {
      toast.success(message, { title: 'Guardado' });
      form.resetDirty();
      onSaved();
    },
    onError: async (error) => {
      // The conflict panel replaces the toast.
      if (error.status === 409 && (await reconcile())) return;
      toast.failure(error, 'No se pudo guardar el pedido');
      focusFirst(form, error.errors);
    },
  });

  function fill(pedido: Pedido, values = valuesOf(pedido)) {
    setBase(pedido);
    form.setValues(values);
    form.resetDirty(valuesOf(pedido));
  }
  useEffect(() => {
    if (initial.version > base.version && !form.isDirty()) fill(initial);
  });

  /** Fills in the stored order, keeping typed values; false if the order cannot be read or edited any more. */
  async function reconcile(): Promise<boolean> {
    const stored = await call(getPedido, { params: { id: base.id } }).catch(() => undefined);
    if (!stored || !isWhole(stored.data)) return false;
    const fresh = stored.data;
    const conflict = compare(valuesOf(base), form.getValues(), valuesOf(fresh), (field) => writable(actor, fresh).includes(field));
    setDifferences(conflict.differences);
    fill(fresh, conflict.values);
    return writable(actor, fresh).includes('instrucciones');
  }

  const submit = onValid(form, ({ fecha_estimada, ...cliente }) => {
    const promised = fecha_estimada !== valuesOf(base).fecha_estimada && { fecha_estimada: fecha_estimada || null };
    const body = { ...clienteBody(cliente), ...promised, version: base.version };
    void askDoubts(cliente, () => save.mutate({ params: { id: base.id }, body }), clienteFrom(base));
  });

  return { form, submit, saving: save.isPending, base, differences };
}
