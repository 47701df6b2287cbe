import { Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { METODO_PAGO_LABEL, METODOS_COBRO, POR_EMPRESA } from '../../../contract/payments/fields.ts';
import { INPUTS } from '../../../contract/pedidos/inputs.ts';
import { ChoiceTiles } from '../../ui/form/choice-tiles.tsx';
import { GrowingTextarea } from '../../ui/form/form-actions.tsx';
import { NumberField } from '../../ui/form/form-number.tsx';
import { money, parseNumber, showNumber } from '../../ui/format/format.ts';

export type CobroValues = { cobrado: string; cobrado_metodo: (typeof METODOS_COBRO)[number] | null; cobrado_motivo: string };

export const initialCobro = (due: number): CobroValues => ({ cobrado: showNumber(due, 2), cobrado_metodo: null, cobrado_motivo: '' });

const isShort = (due: number, { cobrado }: CobroValues) => parseNumber(cobrado) !== due;

/** Request fields of the collected money; none if nothing is due. */
export function cobroBody(due: number, values: CobroValues) {
  if (due === 0) return {};
  const cobrado = parseNumber(values.cobrado);
  const motivo = isShort(due, values) ? values.cobrado_motivo.trim() : '';
  return { cobrado: Number.isNaN(cobrado) ? null : cobrado, cobrado_metodo: values.cobrado_metodo, cobrado_motivo: motivo || null };
}

/** Errors by field; the server checks the rest. */
export function cobroErrors(due: number, values: CobroValues): Partial<Record<keyof CobroValues, string>> {
  if (due === 0) return {};
  const cobrado = parseNumber(values.cobrado);
  return {
    ...(Number.isNaN(cobrado) && { cobrado: 'Indica cuánto has cobrado' }),
    ...(cobrado > 0 && !values.cobrado_metodo && { cobrado_metodo: INPUTS.cobrado_metodo.invalid }),
    ...(isShort(due, values) && !values.cobrado_motivo.trim() && { cobrado_motivo: 'Indica el motivo' }),
  };
}

/** Ways to collect; one of them by the company that took the order to the customer. */
const waysToCollect = (company: string | undefined) =>
  METODOS_COBRO.flatMap((value) => {
    if (value !== POR_EMPRESA) return { value, label: METODO_PAGO_LABEL[value] };
    return company ? { value, label: `Lo cobra ${company}` } : [];
  });

/** `due`: euros to collect; `company`: company that delivers the order, if any. */
type Props<V extends CobroValues> = {
  due: number;
  company: string | undefined;
  form: Pick<UseFormReturnType<V>, 'getInputProps' | 'values'>;
};

/** Inputs for the money collected at the door; renders nothing if nothing is due. */
export function CollectFields<V extends CobroValues>({ due, company, form }: Props<V>) {
  if (due === 0) return null;
  const metodo = form.getInputProps('cobrado_metodo');
  return (
    <Stack role="group" aria-label={`Cobrar ${money(due)}`}>
      <NumberField size="lg" label={`Cobrar ${money(due)}`} decimals={2} {...form.getInputProps('cobrado')} />
      <ChoiceTiles
        label={INPUTS.cobrado_metodo.label}
        cols={{ base: 2, xs: 3 }}
        options={waysToCollect(company)}
        {...metodo}
        value={form.values.cobrado_metodo}
      />
      {isShort(due, form.values) && (
        <GrowingTextarea
          label={INPUTS.cobrado_motivo.label}
          required
          minRows={2}
          maxLength={INPUTS.cobrado_motivo.max}
          {...form.getInputProps('cobrado_motivo')}
        />
      )}
    </Stack>
  );
}
