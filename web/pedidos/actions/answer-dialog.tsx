import { Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useImperativeHandle } from 'react';
import { MAX_NOTA_APLAZAR, RESPUESTA_LABEL, RESPUESTAS, type Respuesta } from '../../../contract/pedidos/attempts.ts';
import { pedidoField } from '../../../contract/pedidos/fields.ts';
import { type Pedido, responderIncidencia } from '../../../contract/pedidos/pedidos.ts';
import { can } from '../../../contract/policy/policy.ts';
import { useMutate } from '../../api.ts';
import { useSession } from '../../session/session.ts';
import { FormDialog, type InDialog } from '../../ui/dialog/form-dialog.tsx';
import { ChoiceTiles } from '../../ui/form/choice-tiles.tsx';
import { DayField } from '../../ui/form/day-field.tsx';
import { FormActions, GrowingTextarea } from '../../ui/form/form-actions.tsx';
import { today } from '../../ui/format/format.ts';
import { RefundDue } from '../pagos/refund-due.tsx';
import { ShippingMeans } from '../pagos/shipping-means.tsx';
import { Subject } from '../subject.tsx';

type Props = {
  pedido: Pedido | undefined;
  /** Answer that is chosen at first. */
  respuesta?: Respuesta;
  onClose: () => void;
};

/** Asks for the next step of an order after too many failed attempts. */
export default function AnswerDialog({ pedido, respuesta = 'otro_dia', onClose }: Props) {
  return (
    <FormDialog opened={!!pedido} onClose={onClose} title="¿Qué hacemos con este pedido?">
      {(inDialog) => pedido && <AnswerForm key={pedido.id} pedido={pedido} first={respuesta} onDone={onClose} {...inDialog} />}
    </FormDialog>
  );
}

const ADDRESS = ['cliente_direccion', 'cliente_direccion2', 'cliente_codigo_postal', 'cliente_ciudad', 'cliente_provincia'] as const;

type FormProps = InDialog & { pedido: Pedido; first: Respuesta; onDone: () => void };

function AnswerForm({ pedido, first, onDone, onCancel, dirty }: FormProps) {
  const actor = useSession();
  const form = useForm({
    initialValues: {
      respuesta: first,
      dia: '',
      nota: '',
      ...(Object.fromEntries(ADDRESS.map((name) => [name, pedido[name] ?? ''])) as Record<(typeof ADDRESS)[number], string>),
    },
    validate: {
      dia: (dia, { respuesta }) => (respuesta === 'otro_dia' && !dia ? 'Elige un día' : null),
      cliente_direccion: (text, { respuesta }) => (respuesta === 'otra_direccion' && !text.trim() ? 'Escribe la dirección' : null),
    },
  });
  const { respuesta } = form.values;
  const send = useMutate(responderIncidencia, {
    success: `${pedido.numero_orden}: respuesta anotada`,
    failure: 'No se pudo anotar la respuesta',
    form,
  });
  useImperativeHandle(dirty, () => () => form.isDirty() && !send.isPending);
  const submit = form.onSubmit(({ dia, nota, respuesta, ...address }) => {
    const body = { respuesta, nota, version: pedido.version };
    const more = respuesta === 'otro_dia' ? { dia } : respuesta === 'otra_direccion' ? address : {};
    send.mutate({ params: { id: pedido.id }, body: { ...body, ...more } }, { onSuccess: onDone });
  });
  const options = RESPUESTAS.filter((value) => value !== 'devolucion' || can(actor, 'paso:cancelar', pedido)).map((value) => ({
    value,
    label: RESPUESTA_LABEL[value],
  }));
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Subject pedido={pedido} />
        <ChoiceTiles
          label="Qué se hace"
          options={options}
          value={respuesta}
          onChange={(value) => form.setFieldValue('respuesta', value)}
          cols={{ base: 1, xs: 2 }}
        />
        {respuesta === 'otro_dia' && (
          <DayField
            label="Nuevo día"
            description="Un día laborable de las próximas dos semanas."
            min={today()}
            withAsterisk
            {...form.getInputProps('dia')}
          />
        )}
        {respuesta === 'otra_direccion' && (
          <Group grow gap="sm" preventGrowOverflow={false}>
            {ADDRESS.map((name) => (
              <TextInput
                key={name}
                label={pedidoField(name).label}
                maxLength={pedidoField(name).max}
                withAsterisk={name === 'cliente_direccion'}
                miw={160}
                {...form.getInputProps(name)}
              />
            ))}
          </Group>
        )}
        {respuesta === 'otra_direccion' && <ShippingMeans pedido={pedido} address={form.values} />}
        {respuesta === 'devolucion' && <RefundDue paid={pedido.pagado ? 1 : 0} amount={pedido.pagado} />}
        <GrowingTextarea
          label={respuesta === 'devolucion' ? 'Motivo (opcional)' : 'Nota para el transportista (opcional)'}
          minRows={2}
          maxLength={MAX_NOTA_APLAZAR}
          {...form.getInputProps('nota')}
        />
        <FormActions submit="Decidir" busy={send.isPending} onCancel={onCancel} danger={respuesta === 'devolucion'} />
      </Stack>
    </form>
  );
}
