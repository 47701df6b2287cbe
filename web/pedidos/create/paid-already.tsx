import { SimpleGrid } from '@mantine/core';
import type { ReactNode } from 'react';
import { METODO_PAGO_OPTIONS } from '../../../contract/payments/fields.ts';
import { ChoiceTiles } from '../../ui/form/choice-tiles.tsx';
import { DayField } from '../../ui/form/day-field.tsx';
import { today } from '../../ui/format/format.ts';
import type { NewPedidoValues } from './draft.ts';

type Paid = Pick<NewPedidoValues, 'pago_metodo' | 'pago_fecha'>;
type Props = { values: Paid; errors: Partial<Record<string, ReactNode>>; onChange: (changed: Partial<Paid>) => void };

/** How and on which day a new order has been paid. */
export const PaidAlready = ({ values, errors, onChange }: Props) => (
  <SimpleGrid cols={1} spacing={4} my={4}>
    <ChoiceTiles
      label="Cómo ha pagado"
      options={METODO_PAGO_OPTIONS}
      value={METODO_PAGO_OPTIONS.find(({ value }) => value === values.pago_metodo)?.value ?? null}
      onChange={(pago_metodo) => onChange({ pago_metodo })}
      error={errors.pago_metodo ?? errors['pago.metodo']}
    />
    <DayField
      label="Qué día"
      value={values.pago_fecha || today()}
      max={today()}
      onChange={(pago_fecha) => onChange({ pago_fecha })}
      error={errors['pago.fecha']}
    />
  </SimpleGrid>
);
