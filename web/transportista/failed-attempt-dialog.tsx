import { Button, Text, Textarea } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useImperativeHandle, useRef, useState } from 'react';
import { TRANSITIONS } from '../../contract/pedidos.flow.ts';
import { type PedidoTransportista, setEstado } from '../../contract/pedidos.ts';
import { useMutate } from '../api.ts';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { ChoiceTiles } from '../ui/form/choice-tiles.tsx';
import { ThumbForm } from '../ui/form/thumb-form.tsx';

type Failing = Pick<PedidoTransportista, 'id' | 'numero_orden' | 'cliente_nombre'>;
type Props = {
  /** The order that could not be delivered; undefined closes the dialog. */
  pedido: Failing | undefined;
  onClose: () => void;
};

const OTHER = 'Otro motivo';
const REASONS = ['Ausente', 'Dirección incorrecta', 'Rechazado por el cliente', 'Sin acceso', 'Paquete dañado', OTHER].map((value) => ({
  value,
  label: value,
}));
const MAX_DETAIL = 250;

/** Asks for the reason of a failed delivery attempt («Intento fallido» of the state table). */
export function FailedAttemptDialog({ pedido, onClose }: Props) {
  // Keeps the content while the dialog fades out.
  const [shown, setShown] = useState(pedido);
  if (pedido && pedido !== shown) setShown(pedido);
  return (
    <FormDialog opened={pedido !== undefined} onClose={onClose} title={TRANSITIONS.fallar.label}>
      {(inDialog) => shown && <ReasonForm pedido={shown} onDone={onClose} {...inDialog} />}
    </FormDialog>
  );
}

type FormProps = InDialog & { pedido: Failing; onDone: () => void };

function ReasonForm({ pedido, onDone, dirty, onBusy, onCancel }: FormProps) {
  const tile = useRef<HTMLButtonElement>(null);
  const text = useRef<HTMLTextAreaElement>(null);
  const form = useForm<{ reason: string | null; motivo: string }>({ initialValues: { reason: null, motivo: '' } });
  useImperativeHandle(dirty, () => form.isDirty);
  const fail = useMutate(setEstado, {
    success: 'Intento fallido registrado: el pedido sigue siendo tuyo',
    failure: 'No se pudo registrar el intento fallido',
    form,
  });

  function submit() {
    const { reason } = form.values;
    const detail = form.values.motivo.trim();
    const unexplained = reason === OTHER && !detail;
    form.setErrors({
      ...(!reason && { reason: 'Por favor, selecciona un motivo' }),
      ...(unexplained && { motivo: 'Por favor, explica el motivo' }),
    });
    if (!reason) return tile.current?.focus();
    if (unexplained) return text.current?.focus();
    const motivo = reason === OTHER ? detail : [reason, detail].filter(Boolean).join(': ');
    onBusy(true);
    fail.mutate(
      { params: { id: pedido.id }, body: { estado: TRANSITIONS.fallar.to, motivo } },
      {
        onSuccess: onDone,
        onError: ({ status }) => (status === 404 || status === 409) && onDone(),
        onSettled: () => onBusy(false),
      },
    );
  }

  const actions = (
    <>
      <Button type="submit" loading={fail.isPending}>
        Registrar intento fallido
      </Button>
      <Button variant="default" disabled={fail.isPending} onClick={onCancel}>
        Cancelar
      </Button>
    </>
  );
  return (
    <ThumbForm onSubmit={submit} actions={actions}>
      <Text>
        Pedido <strong>{pedido.numero_orden}</strong> · {pedido.cliente_nombre}
      </Text>
      <ChoiceTiles
        label="Motivo"
        options={REASONS}
        current={tile}
        value={form.values.reason}
        onChange={(value) => form.setFieldValue('reason', value)}
        error={form.errors.reason}
      />
      <Textarea
        ref={text}
        label={form.values.reason === OTHER ? 'Explica el motivo' : 'Detalles (opcional)'}
        withAsterisk={form.values.reason === OTHER}
        autosize
        minRows={2}
        maxRows={5}
        maxLength={MAX_DETAIL}
        {...form.getInputProps('motivo')}
      />
    </ThumbForm>
  );
}
