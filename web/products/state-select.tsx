import { Select } from '@mantine/core';
import { FILA_IVA_LABEL, type TipoIva } from '../../contract/iva/fields.ts';
import type { Value } from '../ui/form/conflict.ts';

const OPTIONS = [
  { value: 'activo', label: 'Activo' },
  { value: 'inactivo', label: 'Inactivo' },
];

export const showState = (field: string, value: Value): string =>
  field === 'is_active'
    ? value
      ? 'Activo'
      : 'Inactivo'
    : field === 'iva' && value
      ? FILA_IVA_LABEL[value as TipoIva]
      : String(value ?? '');

type Props = { value?: boolean; onChange?: (active: boolean) => void; description: string };

export const StateSelect = ({ value = false, onChange, description }: Props) => (
  <Select
    label="Estado"
    description={description}
    data={OPTIONS}
    value={value ? 'activo' : 'inactivo'}
    onChange={(chosen) => onChange?.(chosen === 'activo')}
    checkIconPosition="right"
  />
);
