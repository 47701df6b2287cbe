import { Group, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type Ref, useImperativeHandle } from 'react';
import { problemOf } from '../../../contract/kit/fields.ts';
import { hasReference, METODO_PAGO_OPTIONS, METODOS_PAGO } from '../../../contract/payments/fields.ts';
import { anotarPago } from '../../../contract/payments/payments.ts';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { useMutate } from '../../api.ts';
import { DayField } from '../../ui/form/day-field.tsx';
import { onValid } from '../../ui/form/focus-first.ts';
import { FormActions } from '../../ui/form/form-actions.tsx';
import { NumberField } from '../../ui/form/form-number.tsx';
import { today } from '../../ui/format/format.ts';
import { parseNumber, showNumber } from '../../ui/format/numbers.ts';

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
