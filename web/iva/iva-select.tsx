import { Select } from '@mantine/core';
import { IVA, IVA_FIELD } from '../../contract/iva/fields.ts';

type Props = {
  value?: string;
  onChange?: (tipo: string) => void;
  label?: string;
  description?: string | undefined;
  className?: string | undefined;
  /** Name of a select without a visible label. */
  'aria-label'?: string;
};

const OPTIONS = [{ value: '', label: 'Sin tipo' }, ...IVA.map(({ tipo, label }) => ({ value: tipo as string, label }))];

/** Select of a VAT rate; the empty string means no rate. */
export const IvaSelect = ({ value = '', onChange, label = IVA_FIELD.label, ...props }: Props) => (
  <Select {...props} label={label} data={OPTIONS} value={value} onChange={(tipo) => onChange?.(tipo ?? '')} checkIconPosition="right" />
);
