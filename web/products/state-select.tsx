import { Select } from '@mantine/core';

const OPTIONS = [
  { value: 'activo', label: 'Activo' },
  { value: 'inactivo', label: 'Inactivo' },
];

type Props = { value?: boolean; onChange?: (active: boolean) => void; description: string };

/** The Activo/Inactivo selector of products and packs. */
export function StateSelect({ value = false, onChange, description }: Props) {
  return (
    <Select
      label="Estado"
      description={description}
      data={OPTIONS}
      value={value ? 'activo' : 'inactivo'}
      onChange={(chosen) => onChange?.(chosen === 'activo')}
      allowDeselect={false}
      checkIconPosition="right"
    />
  );
}
