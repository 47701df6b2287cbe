import { Button, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useImperativeHandle } from 'react';
import { MAX_UNITS } from '../../contract/products/fields.ts';
import { ajustarStock, type Product } from '../../contract/products/products.ts';
import { useMutate } from '../api.ts';
import type { InDialog } from '../ui/dialog/form-dialog.tsx';
import { onValid } from '../ui/form/focus-first.ts';
import { NumberField } from '../ui/form/form-number.tsx';
import { number } from '../ui/format/format.ts';
import { parseNumber } from '../ui/format/numbers.ts';
import classes from './ledger.module.css';

const UNITS = 'Indica cuántas unidades entran o salen';

/** Accepts signs as the ledger shows them: `+10`, `−3`. */
const unitsOf = (typed: string) => parseNumber(typed.trim().replace(/^\+/, '').replace('−', '-'));

function problems({ unidades, nota }: { unidades: string; nota: string }) {
  const units = unitsOf(unidades);
  const valid = Number.isInteger(units) && units !== 0 && Math.abs(units) <= MAX_UNITS;
  return { ...(!valid && { unidades: UNITS }), ...(!nota.trim() && { nota: 'Indica el motivo del ajuste' }) };
}

/** Adjusts a product's stock, with a reason for the ledger. */
export function AdjustForm({ product, dirty }: { product: Pick<Product, 'id'> } & InDialog) {
  const form = useForm({ initialValues: { unidades: '', nota: '' }, validate: problems });
  useImperativeHandle(dirty, () => form.isDirty);
  // The server reports a shortage under `stock`; in this form the field is `unidades`.
  const under = ({ stock, ...errors }: Record<string, string>) => ({ ...(stock && { unidades: stock }), ...errors });
  const adjust = useMutate(ajustarStock, {
    form: {
      setErrors: (errors) => form.setErrors(under(errors)),
      getInputNode: (name) => form.getInputNode(name === 'stock' ? 'unidades' : name),
    },
    success: ({ data }) => `Stock ajustado: ahora hay ${number(data.stock)} unidades de ${data.name}`,
    failure: 'No se pudo ajustar el stock',
    onSuccess: () => form.reset(),
  });
  const submit = onValid(form, ({ unidades, nota }) =>
    adjust.mutate({ params: { id: product.id }, body: { unidades: unitsOf(unidades), nota: nota.trim() } }),
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
