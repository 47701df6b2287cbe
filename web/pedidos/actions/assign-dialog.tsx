import { Select, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useEffect, useEffectEvent } from 'react';
import { TRANSITIONS } from '../../../contract/pedidos/flow.ts';
import { METODO_ENTREGA_OPTIONS, METODOS_ENTREGA } from '../../../contract/pedidos/metodos.ts';
import { assignTransportista, type Pedido } from '../../../contract/pedidos/pedidos.ts';
import { listUsers } from '../../../contract/users/users.ts';
import { useApi, useMutate } from '../../api.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { DialogForm } from '../../ui/form/form-actions.tsx';
import { Picker } from '../../ui/form/picker.tsx';
import { ProposedCarriers } from '../../zonas/proposed-carriers.tsx';
import { Subject } from '../subject.tsx';
import type { PedidoDialogProps } from './actions.ts';

export const AssignDialog = ({ pedido, onClose, title = TRANSITIONS.asignar.label }: PedidoDialogProps) => (
  <Dialog opened={!!pedido} onClose={onClose} title={title} size="md" fillsPhone={false}>
    {pedido && <AssignForm key={`${pedido.id} ${pedido.version}`} pedido={pedido} onDone={onClose} />}
  </Dialog>
);

const NOBODY = { value: '', label: 'Sin asignar' };

function AssignForm({ pedido, onDone }: { pedido: Pedido; onDone: () => void }) {
  const { data, error, isPending } = useApi(listUsers, { query: { role: 'transportista' } });
  const form = useForm({
    initialValues: {
      transportista_id: pedido.transportista_id ?? '',
      empresa_transporte: METODOS_ENTREGA.find((method) => method === pedido.empresa_transporte) ?? 'manual',
    },
  });
  const save = useMutate(assignTransportista, { failure: 'Error al asignar el pedido', form });

  const active = (data?.data ?? []).filter((carrier) => carrier.is_active);
  const options = active.map(({ id, full_name, email }) => ({ value: id, label: full_name, email }));
  // Keeps the current carrier selectable even if inactive.
  const { transportista_id: holder, transportista_nombre } = pedido;
  if (holder && !active.some(({ id }) => id === holder)) {
    options.unshift({ value: holder, label: transportista_nombre ?? '', email: isPending ? '' : 'Ya no está activo' });
  }

  // A single carrier is no choice.
  const only = holder || active.length !== 1 ? undefined : active[0]?.id;
  const choose = useEffectEvent((id: string) => form.setFieldValue('transportista_id', id));
  useEffect(() => void (only && choose(only)), [only]);

  // An order in preparation or on its way must keep a carrier.
  const releasable = pedido.estado === 'pendiente' || TRANSITIONS.devolver.from.includes(pedido.estado);

  const submit = form.onSubmit(({ transportista_id, empresa_transporte }) =>
    save.mutate(
      { params: { id: pedido.id }, body: { transportista_id: transportista_id || null, empresa_transporte, version: pedido.version } },
      { onSuccess: onDone, onError: ({ status }) => (status === 404 || status === 409) && onDone() },
    ),
  );

  return (
    <DialogForm onSubmit={submit} submit="Guardar" busy={save.isPending} onCancel={onDone}>
      <Subject pedido={pedido} />
      <Picker
        label="Transportista"
        data={releasable ? [NOBODY, ...options] : options}
        data-autofocus
        checkIconPosition="right"
        nothingFoundMessage={isPending ? 'Cargando...' : 'Ningún transportista se llama así'}
        error={error?.message}
        renderOption={({ option }) => (
          <div>
            {option.label}
            <Text size="xs">{options.find(({ value }) => value === option.value)?.email}</Text>
          </div>
        )}
        {...form.getInputProps('transportista_id')}
      />
      <ProposedCarriers carriers={active} orders={[pedido]} onPick={(id) => form.setFieldValue('transportista_id', id)} />
      <Select
        label="Empresa de transporte"
        data={METODO_ENTREGA_OPTIONS}
        checkIconPosition="right"
        {...form.getInputProps('empresa_transporte')}
      />
    </DialogForm>
  );
}
