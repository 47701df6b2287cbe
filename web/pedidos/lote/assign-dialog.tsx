import { Alert, Select, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { METODO_ENTREGA_OPTIONS, METODOS_ENTREGA, type MetodoEntrega } from '../../../contract/pedidos/metodos.ts';
import { plural } from '../../../contract/text/plural.ts';
import { listUsers } from '../../../contract/users/users.ts';
import { useApi, useMutate } from '../../api.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { DialogForm, onValid } from '../../ui/form/form-actions.tsx';
import { Picker } from '../../ui/form/picker.tsx';
import { ProposedCarriers } from '../../zonas/proposed-carriers.tsx';
import type { Chosen } from '../table/use-selection.ts';
import '@mantine/core/styles/Alert.css';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { createEnvio, envioFichero, listEnvios, listPlantillas } from '../../../contract/envios/envios.ts';
import { addressOf } from '../../../contract/kit/address.ts';
import { listPedidos } from '../../../contract/pedidos/pedidos.ts';
import { toast } from '../../ui/page/toast.tsx';

export type Assignment = { transportista_id: string | null; empresa_transporte: MetodoEntrega | null };
type FormProps = {
  n: number;
  /** Chosen orders; empty if chosen by filter. */
  orders: readonly Chosen[];
  busy: boolean;
  onClose: () => void;
  onAssign: (assignment: Assignment, name: string | undefined) => void;
};

export function AssignLoteDialog({ opened, ...props }: FormProps & { opened: boolean }) {
  return (
    <Dialog opened={opened} onClose={props.onClose} title="Asignar transportista" size="md" fillsPhone={false}>
      <AssignLoteForm {...props} />
    </Dialog>
  );
}

const NOBODY = 'sin';

function AssignLoteForm({ n, orders, busy, onClose, onAssign }: FormProps) {
  const { data, error, isPending } = useApi(listUsers, { query: { role: 'transportista' } });
  const form = useForm({
    initialValues: { transportista_id: '', empresa_transporte: '' },
    validate: { transportista_id: (value) => (value ? null : 'Elige un transportista') },
  });
  const active = (data?.data ?? []).filter(({ is_active }) => is_active);
  const carriers = active.map(({ id, full_name }) => ({ value: id, label: full_name }));
  const submit = onValid(form, ({ transportista_id, empresa_transporte }) =>
    onAssign(
      {
        transportista_id: transportista_id === NOBODY ? null : transportista_id,
        empresa_transporte: METODOS_ENTREGA.find((method) => method === empresa_transporte) ?? null,
      },
      carriers.find(({ value }) => value === transportista_id)?.label,
    ),
  );

  return (
    <DialogForm onSubmit={submit} submit={`Asignar ${plural(n, 'pedido')}`} pending="Asignando..." busy={busy} onCancel={onClose}>
      <Text size="md">
        Se {n === 1 ? 'asignará' : 'asignarán'} <strong>{plural(n, 'pedido')}</strong>. Los que no se puedan asignar se quedan como están.
      </Text>
      <Picker
        label="Transportista"
        withAsterisk
        placeholder="Elige un transportista"
        data={[{ value: NOBODY, label: 'Sin asignar' }, ...carriers]}
        checkIconPosition="right"
        nothingFoundMessage={isPending ? 'Cargando...' : 'Ningún transportista se llama así'}
        data-autofocus
        {...form.getInputProps('transportista_id')}
        error={form.errors.transportista_id ?? error?.message}
      />
      <ProposedCarriers carriers={active} orders={orders} onPick={(id) => form.setFieldValue('transportista_id', id)} />
      <Select
        label="Empresa de transporte"
        data={[{ value: '', label: 'La que tenga cada pedido' }, ...METODO_ENTREGA_OPTIONS]}
        checkIconPosition="right"
        {...form.getInputProps('empresa_transporte')}
      />
    </DialogForm>
  );
}

type ShipmentFormProps = { ids: readonly string[]; onClose: () => void };

/** Hands the chosen orders to a shipping company: records them as a shipment and downloads its file. */
export function ShipmentDialog({ opened, ids, onClose }: ShipmentFormProps & { opened: boolean; n: number; busy: boolean }) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Fichero de envío" size="md" fillsPhone={false}>
      <ShipmentForm ids={ids} onClose={onClose} />
    </Dialog>
  );
}

function ShipmentForm({ ids, onClose }: ShipmentFormProps) {
  const navigate = useNavigate();
  const { data, error } = useApi(listPlantillas, {});
  const form = useForm({
    initialValues: { plantilla: '' },
    validate: { plantilla: (value) => (value ? null : 'Elige una empresa') },
  });
  const [held, setHeld] = useState('');
  const create = useMutate(createEnvio, {
    form,
    success: false,
    failure: false,
    invalidates: [listEnvios, listPedidos],
    onError: (refusal) => {
      if (refusal.code === 'en_empresa') setHeld(refusal.message);
      else toast.failure(refusal, 'No se pudo hacer el fichero');
    },
    onSuccess: ({ data: { id, pedidos: n, empresa }, avisos }) => {
      const href = addressOf(envioFichero.path, { params: { id } });
      Object.assign(document.createElement('a'), { href, download: '' }).click();
      const left = ids.length > n ? ` ${ids.length - n} no se pueden enviar y quedan fuera.` : '';
      toast.success([`Fichero de ${empresa} con ${plural(n, 'pedido')}.${left}`, ...avisos].join(' '), {
        ...(avisos.length > 0 && { autoClose: false as const }),
        action: { label: 'Ver envíos', onClick: () => void navigate({ to: '/envios' }) },
      });
      onClose();
    },
  });
  const plantillas = data?.data ?? [];
  const chosen = plantillas.find(({ clave }) => clave === form.values.plantilla);
  const submit = onValid(form, ({ plantilla }) => create.mutate({ body: { plantilla, ids: [...ids], aunque_tenga_envio: held !== '' } }));
  return (
    <DialogForm
      onSubmit={submit}
      gap="md"
      submit={held ? 'Hacer otro fichero' : 'Descargar fichero'}
      pending="Preparando..."
      busy={create.isPending}
      onCancel={onClose}
    >
      <Text size="md">
        Se descargará el fichero con <strong>{plural(ids.length, 'pedido')}</strong>, y quedarán apuntados como un envío de esa empresa. Sus
        estados no cambian hasta que leas su respuesta en «Envíos».
      </Text>
      <Select
        label="Empresa"
        placeholder="Elige una empresa"
        withAsterisk
        data={plantillas.map(({ clave, nombre, verificada }) => ({
          value: clave,
          label: verificada ? nombre : `${nombre} (sin verificar)`,
        }))}
        checkIconPosition="right"
        data-autofocus
        {...form.getInputProps('plantilla')}
        error={form.errors.plantilla ?? error?.message}
      />
      {chosen && !chosen.verificada && (
        <Text role="note">
          Nadie ha probado aún esta plantilla con {chosen.nombre}: compara el fichero con lo que te piden. Se cambia en Configuración,
          pestaña «Entrega».
        </Text>
      )}
      {held && (
        <Alert color="orange" icon={<IconAlertTriangle size={18} />} title={held} role="alert">
          <Text>Si sigues, los de otro envío salen de él y pasan a este; los que lleva un transportista siguen siendo suyos.</Text>
        </Alert>
      )}
    </DialogForm>
  );
}
