import { Select } from '@mantine/core';
import { IVA, IVA_FIELD } from '../../contract/iva/fields.ts';

type Props = {
  value?: string;
  onChange?: (tipo: string) => void;
  label?: string;
  description?: string | undefined;
  className?: string | undefined;
};

const OPTIONS = IVA.map(({ tipo, label }) => ({ value: tipo, label }));

/** Chooses a rate of VAT; empty: none. */
export function IvaSelect({ value, onChange, label = IVA_FIELD.label, ...props }: Props) {
  return (
    <Select
      {...props}
      label={label}
      placeholder="Sin tipo"
      data={OPTIONS}
      value={value || null}
      onChange={(tipo) => onChange?.(tipo ?? '')}
      clearable
      checkIconPosition="right"
    />
  );
}
