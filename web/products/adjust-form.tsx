import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useImperativeHandle } from 'react';
import { MAX_UNITS } from '../../contract/products.fields.ts';
import { ajustarStock, type Product } from '../../contract/products.ts';
import { useMutate } from '../api.ts';
import type { InDialog } from '../ui/dialog/form-dialog.tsx';
import { focusFirst } from '../ui/form/focus-first.ts';
import { NumberField } from '../ui/form/form-number.tsx';
import { number } from '../ui/format/format.ts';
import { parseNumber } from '../ui/format/numbers.ts';
import classes from './movimientos.module.css';

const UNITS = 'Indica cuántas unidades entran o salen';

/** `+10` is what people write who have just seen `+10` in the ledger. */
const unitsOf = (typed: string) => parseNumber(typed.trim().replace(/^\+/, '').replace('−', '-'));

function problems({ unidades, nota }: { unidades: string; nota: string }) {
  const units = unitsOf(unidades);
  const valid = Number.isInteger(units) && units !== 0 && Math.abs(units) <= MAX_UNITS;
  return { ...(!valid && { unidades: UNITS }), ...(!nota.trim() && { nota: 'Indica el motivo del ajuste' }) };
}

/** Books units in or out of a product by hand; the reason stays in its ledger. */
export function AdjustForm({ product, dirty, onBusy }: { product: Pick<Product, 'id'> } & InDialog) {
  const form = useForm({ initialValues: { unidades: '', nota: '' }, validate: problems });
  useImperativeHandle(dirty, () => form.isDirty);
  // What does not suffice is the stock; the field that asks for too much is this one.
  const under = ({ stock, ...errors }: Record<string, string>) => ({ ...(stock && { unidades: stock }), ...errors });
  const adjust = useMutate(ajustarStock, {
    form: { setErrors: (errors) => form.setErrors(under(errors)) },
    success: ({ data }) => `Stock ajustado: ahora hay ${number(data.stock)} unidades de ${data.name}`,
    failure: 'No se pudo ajustar el stock',
    onSuccess: () => form.reset(),
    onError: ({ errors }) => focusFirst(form, errors.stock ? { unidades: true } : errors),
  });
  const submit = form.onSubmit(
    ({ unidades, nota }) => {
      onBusy(true);
      adjust.mutate(
        { params: { id: product.id }, body: { unidades: unitsOf(unidades), nota: nota.trim() } },
        { onSettled: () => onBusy(false) },
      );
    },
    (errors) => focusFirst(form, errors),
  );

  return (
    <form onSubmit={submit} noValidate className={classes.form} aria-label="Ajustar stock">
      <NumberField label="Unidades" placeholder="+10 o -3" min={-MAX_UNITS} required {...form.getInputProps('unidades')} />
      <TextInput
        label="Motivo"
        placeholder="Compra, recuento, rotura…"
        maxLength={200}
        required
        autoComplete="off"
        {...form.getInputProps('nota')}
      />
      <Button type="submit" disabled={adjust.isPending}>
        {adjust.isPending ? 'Guardando...' : 'Ajustar stock'}
      </Button>
    </form>
  );
}
