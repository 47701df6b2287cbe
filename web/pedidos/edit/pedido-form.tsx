import { Alert, Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconInfoCircle } from '@tabler/icons-react';
import { useEffect, useEffectEvent, useImperativeHandle, useState } from 'react';
import { writableFields } from '../../../contract/pedidos/access.ts';
import { pedidoField } from '../../../contract/pedidos/fields.ts';
import { getPedido, isWhole, type Pedido, updatePedido } from '../../../contract/pedidos/pedidos.ts';
import { call, useMutate } from '../../api.ts';
import { useSession } from '../../session/session.ts';
import type { InDialog } from '../../ui/dialog/form-dialog.tsx';
import { type Difference, mergeValues } from '../../ui/form/conflict.ts';
import { ConflictPanel } from '../../ui/form/conflict-panel.tsx';
import { focusFirst, onValid } from '../../ui/form/form-actions.tsx';
import { mayLose } from '../../ui/form/unsaved.ts';
import { toast } from '../../ui/page/toast.tsx';
import { askDoubts } from '../cliente/ask-doubts.ts';
import { ClienteFields, isNifAsked } from '../cliente/cliente-fields.tsx';
import { type ClienteValues, clienteBody, clienteFrom, clienteRules } from '../cliente/cliente-values.ts';
import { ShippingMeans } from '../pagos/shipping-means.tsx';
import { FixedFacts } from './pedido-facts.tsx';
import classes from './pedido-form.module.css';

type EditProps = Pick<InDialog, 'dirty' | 'onCancel'> & {
  pedido: Pedido;
  onSaved: () => void;
  /** True to omit the facts that cannot be edited. */
  brief?: boolean;
};

/** Form to edit an order; locked fields stay read-only. */
export function PedidoEdit({ pedido, onCancel, onSaved, dirty, brief = false }: EditProps) {
  const actor = useSession();
  const { form, submit, saving, base, differences } = useEdit(pedido, onSaved);
  useImperativeHandle(dirty, () => () => form.isDirty() && !saving);
  const cancel = async () => {
    if (form.isDirty() && !saving && !(await mayLose())) return;
    form.resetDirty();
    onCancel();
  };
  const may = writableFields(actor, base);
  const because = restriction(base, isNifAsked(actor, base) && may.includes('cliente_nif'));
  const blocked = !may.includes('instrucciones');
  const first = base.estado === 'completado' ? 'instrucciones' : (may[0] ?? '');
  const focus = useEffectEvent(() => form.getInputNode(first)?.focus({ preventScroll: true }));
  // After the dialog's own focus on its first control.
  useEffect(() => void setTimeout(focus), []);
  return (
    <form onSubmit={submit} noValidate aria-label={`Editar el pedido ${pedido.numero_orden}`}>
      <Stack gap="md">
        {differences && (differences.length > 0 || !blocked) && (
          <ConflictPanel
            title="Otra persona ha cambiado este pedido mientras lo editabas"
            differences={differences}
            values={form.values}
            label={(field) => pedidoField(field).label}
            editable={(field) => may.includes(field)}
            onPick={(field, value) => form.setFieldValue(field, String(value))}
          />
        )}
        {because && (
          <Alert color="gray" icon={<IconInfoCircle size={18} />} role="note">
            {because}
          </Alert>
        )}
        {!brief && <FixedFacts pedido={base} />}
        <ClienteFields form={form} prefixed pedido={base} />
        <ShippingMeans pedido={base} address={form.values} />
        <Group justify="flex-end" className={classes.actions}>
          <Button variant="default" onClick={() => void cancel()}>
            Cancelar
          </Button>
          <Button type="submit" disabled={saving || blocked}>
            {saving ? 'Guardando...' : 'Guardar cambios'}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Reason why an order is partly or wholly read-only; undefined if every field can be edited. `nif`: the tax number can be. */
function restriction({ estado, deleted_at }: Pick<Pedido, 'estado' | 'deleted_at'>, nif: boolean): string | undefined {
  if (deleted_at) return 'El pedido está eliminado: no se puede modificar.';
  if (estado === 'cancelado') return 'El pedido está cancelado: no se puede modificar.';
  if (estado === 'completado') return `El pedido está completado: solo se pueden cambiar las instrucciones${nif ? ' y el NIF' : ''}.`;
  return undefined;
}

/** Edits an order, saved with the version that filled the form; after a conflict `differences` are the fields that differ. */
function useEdit(initial: Pedido, onSaved: () => void) {
  const actor = useSession();
  // Order from which the form was filled. Background refetches replace this order only while the form is untouched.
  const [base, setBase] = useState(initial);
  const [differences, setDifferences] = useState<Difference<keyof ClienteValues>[]>();
  const form = useForm({ initialValues: clienteFrom(initial), validate: clienteRules('Completa los campos obligatorios') });

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

  function fill(pedido: Pedido, values = clienteFrom(pedido)) {
    setBase(pedido);
    form.setValues(values);
    form.resetDirty(clienteFrom(pedido));
  }
  useEffect(() => {
    if (initial.version > base.version && !form.isDirty()) fill(initial);
  });

  /** Fills in the stored order, keeping typed values; false if the order cannot be read or edited any more. */
  async function reconcile(): Promise<boolean> {
    const stored = await call(getPedido, { params: { id: base.id } }).catch(() => undefined);
    if (!stored || !isWhole(stored.data)) return false;
    const fresh = stored.data;
    const conflict = mergeValues(clienteFrom(base), form.getValues(), clienteFrom(fresh), (field) =>
      writableFields(actor, fresh).includes(field),
    );
    setDifferences(conflict.differences);
    fill(fresh, conflict.values);
    return writableFields(actor, fresh).includes('instrucciones');
  }

  const submit = onValid(form, (cliente) => {
    const body = { ...clienteBody(cliente), version: base.version };
    void askDoubts(cliente, () => save.mutate({ params: { id: base.id }, body }), clienteFrom(base));
  });

  return { form, submit, saving: save.isPending, base, differences };
}
