import { Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type Caja, confirmarCaja, entregarCaja, recibirCaja } from '../../contract/caja/caja.ts';
import { problemOf } from '../../contract/kit/fields.ts';
import { useMutate } from '../api.ts';
import type { UnsentCash } from '../outbox/unsent-cash.ts';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { DialogForm } from '../ui/form/form-actions.tsx';
import { NumberField } from '../ui/form/form-number.tsx';
import { GrowingTextarea } from '../ui/form/growing-textarea.tsx';
import { fecha, money } from '../ui/format/format.ts';
import { parseNumber, showNumber } from '../ui/format/numbers.ts';
import { NotCounted } from './unsent.tsx';

type Props = { caja: Caja | undefined; office: boolean; unsent: readonly UnsentCash[]; onClose: () => void };

/** «Entregar caja» for a carrier; for the office, «Confirmar caja» after the hand-over and «Recibir caja» before. */
export function CountDialog({ caja, office, unsent, onClose }: Props) {
  const title = caja?.caja_id ? 'Confirmar caja' : office ? 'Recibir caja' : 'Entregar caja';
  return (
    <FormDialog opened={!!caja} onClose={onClose} title={title} fillsPhone={false}>
      {(inDialog) => caja && <CountForm caja={caja} office={office} unsent={unsent} title={title} onDone={onClose} {...inDialog} />}
    </FormDialog>
  );
}

type FormProps = InDialog & { caja: Caja; office: boolean; unsent: readonly UnsentCash[]; title: string; onDone: () => void };
function CountForm({ caja, office, unsent, title, onDone, dirty, onCancel }: FormProps) {
  const due = caja.contado ?? caja.esperado;
  const field = office ? 'recibido' : 'contado';
  const form = useForm({
    initialValues: { contado: showNumber(due, 2), recibido: showNumber(due, 2), motivo: '' },
    validate: {
      [field]: (typed: string) => problemOf({ kind: 'money' }, parseNumber(typed)) ?? null,
      motivo: (typed, values) => (parseNumber(values[field]) !== due && !typed.trim() ? 'Indica el motivo de la diferencia' : null),
    },
  });
  const words = { form, failure: 'No se pudo guardar la caja', onSuccess: onDone };
  const handOver = useMutate(entregarCaja, { ...words, success: 'Caja entregada' });
  const confirm = useMutate(confirmarCaja, { ...words, success: 'Caja confirmada' });
  const receive = useMutate(recibirCaja, { ...words, success: 'Caja recibida' });
  const busy = handOver.isPending || confirm.isPending || receive.isPending;
  const differs = parseNumber(form.values[field]) !== due;
  const submit = form.onSubmit((values) => {
    const motivo = values.motivo.trim() || null;
    const amount = parseNumber(values[field]);
    if (caja.caja_id) confirm.mutate({ params: { id: caja.caja_id }, body: { recibido: amount, motivo } });
    else if (office) receive.mutate({ body: { transportista_id: caja.transportista_id, dia: caja.dia, recibido: amount, motivo } });
    else handOver.mutate({ body: { dia: caja.dia, contado: amount, motivo } });
  });
  return (
    <DialogForm onSubmit={submit} submit={title} busy={busy} onCancel={onCancel} form={form} dirty={dirty}>
      <Text size="md">
        {fecha(caja.dia)}: {caja.caja_id ? 'entregados' : 'cobrados'} <strong>{money(due)}</strong>
      </Text>
      <NotCounted cash={unsent} />
      <NumberField label={office ? 'Recibido (€)' : 'Contado (€)'} decimals={2} size="lg" data-autofocus {...form.getInputProps(field)} />
      {(differs || form.errors.motivo) && (
        <GrowingTextarea label="Motivo de la diferencia" minRows={2} maxLength={300} {...form.getInputProps('motivo')} />
      )}
    </DialogForm>
  );
}
