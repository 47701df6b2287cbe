import { Button, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useImperativeHandle, useRef, useState } from 'react';
import { METODO_ENTREGA_LABEL, METODOS_ENTREGA, type MetodoEntrega, TRANSITIONS } from '../../../contract/pedidos.flow.ts';
import { INPUTS } from '../../../contract/pedidos.inputs.ts';
import { type PedidoTransportista, setEstado } from '../../../contract/pedidos.ts';
import { useMutate } from '../../api.ts';
import { FormDialog, type InDialog } from '../../ui/dialog/form-dialog.tsx';
import { ChoiceTiles } from '../../ui/form/choice-tiles.tsx';
import { ThumbForm } from '../../ui/form/thumb-form.tsx';

type Completable = Pick<PedidoTransportista, 'id' | 'numero_orden' | 'cliente_nombre'>;
type Props = {
  /** The order to complete; undefined closes the dialog. */
  pedido: Completable | undefined;
  onClose: () => void;
  /** Toast on success. */
  success?: string | undefined;
};

/** «Completar Entrega» (specification, section 2.17): for carriers, and for superadmins in Entregas. */
export function CompleteDialog({ pedido, onClose, success = 'Pedido marcado como completado exitosamente' }: Props) {
  // Keeps the content while the dialog fades out.
  const [shown, setShown] = useState(pedido);
  if (pedido && pedido !== shown) setShown(pedido);
  return (
    <FormDialog opened={pedido !== undefined} onClose={onClose} title="Completar Entrega">
      {(inDialog) => shown && <CompleteForm pedido={shown} success={success} onDone={onClose} {...inDialog} />}
    </FormDialog>
  );
}

// Preselects the last method: a carrier delivers by the same one all day.
const LAST_METHOD = 'enruta-metodo-entrega';
function lastMethod(): MetodoEntrega | null {
  try {
    const kept = localStorage.getItem(LAST_METHOD);
    return METODOS_ENTREGA.find((method) => method === kept) ?? null;
  } catch {
    return null;
  }
}
function keepMethod(method: MetodoEntrega) {
  try {
    localStorage.setItem(LAST_METHOD, method);
  } catch {
    // Storage may be blocked; only the convenience is lost.
  }
}

type Values = { metodo_entrega: MetodoEntrega | null; numero_seguimiento: string; empresa_transporte: string };

type FormProps = InDialog & { pedido: Completable; success: string; onDone: () => void };

function CompleteForm({ pedido, success, onDone, dirty, onBusy }: FormProps) {
  const tile = useRef<HTMLButtonElement>(null);
  const number = useRef<HTMLInputElement>(null);
  const form = useForm<Values>({ initialValues: { metodo_entrega: lastMethod(), numero_seguimiento: '', empresa_transporte: '' } });
  useImperativeHandle(dirty, () => form.isDirty);
  const complete = useMutate(setEstado, {
    success,
    failure: 'Error al completar el pedido',
    form,
  });

  function submit(withNumber: boolean) {
    const { metodo_entrega, ...typed } = form.values;
    const numero_seguimiento = withNumber ? typed.numero_seguimiento.trim() : '';
    const noNumber = withNumber && !numero_seguimiento;
    form.setErrors({
      ...(!metodo_entrega && { metodo_entrega: TRANSITIONS.completar.input.metodo_entrega }),
      ...(noNumber && { numero_seguimiento: 'Por favor, introduce el número de seguimiento' }),
    });
    if (!metodo_entrega) return tile.current?.focus();
    if (noNumber) return number.current?.focus();
    keepMethod(metodo_entrega);
    onBusy(true);
    complete.mutate(
      {
        params: { id: pedido.id },
        body: {
          estado: TRANSITIONS.completar.to,
          metodo_entrega,
          numero_seguimiento: numero_seguimiento || null,
          empresa_transporte: typed.empresa_transporte.trim() || null,
        },
      },
      {
        onSuccess: onDone,
        // The order is no longer this person's to complete; the toast has said why.
        onError: ({ status }) => (status === 404 || status === 409) && onDone(),
        onSettled: () => onBusy(false),
      },
    );
  }

  const actions = (
    <>
      <Button type="submit" loading={complete.isPending}>
        Completar entrega
      </Button>
      <Button variant="default" disabled={complete.isPending} onClick={() => submit(false)}>
        Completar sin número
      </Button>
    </>
  );
  return (
    <ThumbForm onSubmit={() => submit(true)} actions={actions}>
      <Text>
        Pedido <strong>{pedido.numero_orden}</strong> · {pedido.cliente_nombre}
      </Text>
      <ChoiceTiles
        label="Método de entrega"
        cols={{ base: 2, xs: 3 }}
        options={METODOS_ENTREGA.map((value) => ({ value, label: METODO_ENTREGA_LABEL[value] }))}
        current={tile}
        value={form.values.metodo_entrega}
        onChange={(value) => form.setFieldValue('metodo_entrega', value)}
        error={form.errors.metodo_entrega}
      />
      <TextInput
        ref={number}
        label={`${INPUTS.numero_seguimiento.label} (opcional)`}
        maxLength={INPUTS.numero_seguimiento.max}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        {...form.getInputProps('numero_seguimiento')}
      />
      <TextInput
        label={`${INPUTS.empresa_transporte.label} (opcional)`}
        maxLength={INPUTS.empresa_transporte.max}
        autoComplete="organization"
        {...form.getInputProps('empresa_transporte')}
      />
    </ThumbForm>
  );
}
