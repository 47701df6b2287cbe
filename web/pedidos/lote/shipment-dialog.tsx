import '@mantine/core/styles/Alert.css';
import { Alert, Select, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { createEnvio, envioFichero, listEnvios, listPlantillas } from '../../../contract/envios/envios.ts';
import { addressOf } from '../../../contract/kit/address.ts';
import { listPedidos } from '../../../contract/pedidos/pedidos.ts';
import { useApi, useMutate } from '../../api.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { FormActions, onValid } from '../../ui/form/form-actions.tsx';
import { toast } from '../../ui/page/toast.tsx';
import { pedidos } from '../table/use-selection.ts';

type ShipmentFormProps = { ids: readonly string[]; onClose: () => void };

/** Hands the chosen orders to a shipping company: records them as a shipment and downloads its file. */
export default function ShipmentDialog({ opened, ids, onClose }: ShipmentFormProps & { opened: boolean; n: number; busy: boolean }) {
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
    onSuccess: ({ data: { id, pedidos: n, empresa } }) => {
      const href = addressOf(envioFichero.path, { params: { id } });
      Object.assign(document.createElement('a'), { href, download: '' }).click();
      const left = ids.length > n ? ` ${ids.length - n} no se pueden enviar y quedan fuera.` : '';
      toast.success(`Fichero de ${empresa} con ${pedidos(n)}.${left}`, {
        action: { label: 'Ver envíos', onClick: () => void navigate({ to: '/envios' }) },
      });
      onClose();
    },
  });
  const plantillas = data?.data ?? [];
  const chosen = plantillas.find(({ clave }) => clave === form.values.plantilla);
  const submit = onValid(form, ({ plantilla }) => create.mutate({ body: { plantilla, ids: [...ids], aunque_tenga_envio: held !== '' } }));
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text size="md">
          Se descargará el fichero con <strong>{pedidos(ids.length)}</strong>, y quedarán apuntados como un envío de esa empresa. Sus
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
        <FormActions
          submit={held ? 'Hacer otro fichero' : 'Descargar fichero'}
          pending="Preparando..."
          busy={create.isPending}
          onCancel={onClose}
        />
      </Stack>
    </form>
  );
}
