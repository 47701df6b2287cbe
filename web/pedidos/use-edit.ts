import { useForm } from '@mantine/form';
import { useEffect, useState } from 'react';
import { isEditable } from '../../contract/pedidos.fields.ts';
import { getPedido, type Pedido, updatePedido } from '../../contract/pedidos.ts';
import { call, useMutate } from '../api.ts';
import { focusFirst } from '../ui/form/focus-first.ts';
import { toast } from '../ui/page/toast.tsx';
import { clienteBody, clienteFrom, clienteRules } from './cliente-values.ts';
import { compare, type Difference } from './conflict.ts';
import { isWhole } from './whole.ts';

/** Why an order, or most of it, cannot be edited; undefined when it can. */
export function restriction({ estado, deleted_at }: Pick<Pedido, 'estado' | 'deleted_at'>): string | undefined {
  if (deleted_at) return 'El pedido está eliminado: no se puede modificar.';
  if (estado === 'cancelado') return 'El pedido está cancelado: no se puede modificar.';
  if (estado === 'completado') return 'El pedido está completado: solo se pueden cambiar las instrucciones.';
  return undefined;
}

/**
 * The editing of an order: its form, its save with the version it was filled from, and, when somebody else
 * saved meanwhile, the fields in which the two differ.
 */
export function useEdit(initial: Pedido, onSaved: () => void) {
  // What the form was filled from; once something is typed, a refetch in the background does not move it.
  const [base, setBase] = useState(initial);
  const [differences, setDifferences] = useState<Difference[]>();
  const form = useForm({ initialValues: clienteFrom(initial), validate: clienteRules('Completa los campos obligatorios') });

  const save = useMutate(updatePedido, {
    success: false,
    failure: false,
    form,
    onSuccess: () => {
      toast.success('El pedido se actualizó correctamente', { title: 'Guardado' });
      form.resetDirty();
      onSaved();
    },
    onError: async (error) => {
      // The panel says it better than a notice would.
      if (error.status === 409 && (await reconcile())) return;
      toast.failure(error, 'No se pudo guardar el pedido');
      focusFirst(form, error.errors);
    },
  });

  function fill(pedido: Pedido, values = clienteFrom(pedido)) {
    setBase(pedido);
    form.setValues(values);
    form.resetDirty(clienteFrom(pedido));
  }
  useEffect(() => {
    if (initial.version > base.version && !form.isDirty()) fill(initial);
  });

  /** Reads what is stored now and compares; false when there is nothing left to choose. */
  async function reconcile(): Promise<boolean> {
    const stored = await call(getPedido, { params: { id: base.id } }).catch(() => undefined);
    if (!stored || !isWhole(stored.data)) return false;
    const fresh = stored.data;
    const conflict = compare(clienteFrom(base), form.getValues(), clienteFrom(fresh), (field) => isEditable(field, fresh));
    setDifferences(conflict.differences);
    fill(fresh, conflict.values);
    return isEditable('instrucciones', fresh);
  }

  const submit = form.onSubmit(
    (values) => save.mutate({ params: { id: base.id }, body: { ...clienteBody(values), version: base.version } }),
    (errors) => focusFirst(form, errors),
  );

  return { form, submit, saving: save.isPending, base, differences };
}
