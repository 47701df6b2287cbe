import { Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type Ref, useImperativeHandle, useState } from 'react';
import { problemOf } from '../../../contract/kit/fields.ts';
import { hasReference, METODO_PAGO_OPTIONS, METODOS_PAGO } from '../../../contract/payments/fields.ts';
import { anotarPago, reembolsarSobra } from '../../../contract/payments/payments.ts';
import { overpaidPart } from '../../../contract/pedidos/money.ts';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { useMutate } from '../../api.ts';
import { DayField } from '../../ui/form/day-field.tsx';
import { FormActions, onValid } from '../../ui/form/form-actions.tsx';
import { NumberField } from '../../ui/form/form-number.tsx';
import { money, parseNumber, showNumber, today } from '../../ui/format/format.ts';

type Props = { pedido: Pedido; onDone: () => void; onCancel?: () => void; dirty?: Ref<() => boolean> };

export function NotePago({ pedido, onDone, onCancel = onDone, dirty }: Props) {
  const form = useForm({
    initialValues: { metodo: METODOS_PAGO[0], importe: showNumber(pedido.pendiente, 2), fecha: today(), referencia: '' },
    validate: {
      importe: (typed) => {
        const importe = parseNumber(typed);
        return importe === 0 ? 'Indica cuánto se ha pagado' : (problemOf({ kind: 'money' }, importe) ?? null);
      },
      fecha: (fecha) => (fecha ? null : 'Indica el día'),
    },
  });
  const save = useMutate(anotarPago, { failure: 'No se pudo anotar el pago', form, onSuccess: onDone });
  useImperativeHandle(dirty, () => () => form.isDirty() && !save.isPending);
  const referred = hasReference(form.values.metodo);

  const submit = onValid(form, ({ importe, referencia, ...rest }) =>
    save.mutate({
      params: { id: pedido.id },
      body: { ...rest, importe: parseNumber(importe), referencia: (referred && referencia.trim()) || null },
    }),
  );

  return (
    <form onSubmit={submit} noValidate aria-label="Anotar pago">
      <Stack gap="xs">
        <Group grow align="start">
          <Select label="Método" data={METODO_PAGO_OPTIONS} checkIconPosition="right" {...form.getInputProps('metodo')} />
          <NumberField label="Importe (€)" decimals={2} withAsterisk aria-required autoFocus {...form.getInputProps('importe')} />
        </Group>
        <Group grow align="start">
          <DayField label="Fecha" max={today()} withAsterisk aria-required {...form.getInputProps('fecha')} />
          {referred && <TextInput label="Referencia (opcional)" maxLength={120} autoComplete="off" {...form.getInputProps('referencia')} />}
        </Group>
        <FormActions submit="Anotar pago" busy={save.isPending} onCancel={onCancel} cancel="Volver" />
      </Stack>
    </form>
  );
}

/** Amount paid beyond the total or for a deleted order, with a form to record its refund; nothing if none is due. */
export function Overpaid({ pedido, start }: { pedido: Pedido; start: boolean }) {
  const deleted = !!pedido.deleted_at;
  const owed = overpaidPart({ due: pedido.por_reembolsar, paid: pedido.pagado, total: pedido.precio_total, deleted });
  const [noting, setNoting] = useState(start);
  if (owed <= 0) return null;
  return (
    <Stack gap="xs" mb="sm">
      <Text>
        {deleted ? 'Hay que reembolsar ' : 'Sobran '}
        <strong>{money(owed)}</strong>
        {deleted ? ': el pedido se eliminó después de pagarse' : ': se ha pagado más de lo que cuesta el pedido'}. Reembólsalo y anótalo
        aquí.
      </Text>
      {noting && <Refund pedido={pedido} owed={owed} onDone={() => setNoting(false)} />}
    </Stack>
  );
}

function Refund({ pedido, owed, onDone }: { pedido: Pedido; owed: number; onDone: () => void }) {
  const form = useForm({
    initialValues: { importe: showNumber(owed, 2), referencia: '' },
    validate: {
      importe: (typed) => {
        const importe = parseNumber(typed);
        return importe === 0 ? 'Indica cuánto se ha reembolsado' : (problemOf({ kind: 'money' }, importe) ?? null);
      },
    },
  });
  const save = useMutate(reembolsarSobra, { form, failure: 'No se pudo anotar el reembolso', onSuccess: onDone });
  const submit = onValid(form, ({ importe, referencia }) =>
    save.mutate({ params: { id: pedido.id }, body: { importe: parseNumber(importe), referencia: referencia.trim() || null } }),
  );
  return (
    <form onSubmit={submit} noValidate aria-label="Marcar como reembolsado">
      <Stack gap="xs">
        <Group grow align="start">
          <NumberField label="Reembolso (€)" decimals={2} autoFocus {...form.getInputProps('importe')} />
          <TextInput label="Referencia (opcional)" maxLength={120} autoComplete="off" {...form.getInputProps('referencia')} />
        </Group>
        <FormActions submit="Marcar como reembolsado" busy={save.isPending} onCancel={onDone} cancel="Volver" />
      </Stack>
    </form>
  );
}
