import { Group, type OptionsFilter, Text } from '@mantine/core';
import { listPacks, type Pack } from '../../contract/products.ts';
import { useApi } from '../api.ts';
import { Picker, type PickerProps } from '../ui/form/picker.tsx';
import { money } from '../ui/format/format.ts';
import { matches } from '../ui/list/local-list.ts';

/** «product name – pack name» (specification, section 2.14). */
export const packLabel = (pack: Pick<Pack, 'product_name' | 'name'>): string => `${pack.product_name} – ${pack.name}`;

/** Packs that can be ordered; undefined while they load. */
export function usePacks() {
  const { data, error, refetch } = useApi(listPacks, {});
  return { packs: data?.data.filter((pack) => pack.available), error, refetch };
}

type Props = Omit<PickerProps, 'data' | 'filter' | 'renderOption' | 'placeholder' | 'disabled'> & { packs: readonly Pack[] | undefined };

/** Searches packs by pack name, product name or alias. */
export function PackPicker({ packs, ...props }: Props) {
  const byId = new Map(packs?.map((pack) => [pack.id, pack]));
  const filter: OptionsFilter = ({ options, search, limit }) =>
    options
      .filter((option) => !('group' in option) && matches(search, option.label, byId.get(String(option.value))?.alias ?? ''))
      .slice(0, limit);
  return (
    <Picker
      {...props}
      data={packs?.map((pack) => ({ value: pack.id, label: packLabel(pack) })) ?? []}
      placeholder={!packs ? 'Cargando...' : packs.length ? 'Elige un pack' : 'No hay packs activos'}
      disabled={!packs?.length}
      filter={filter}
      nothingFoundMessage="Ningún pack coincide"
      maxDropdownHeight={320}
      renderOption={({ option }) => (
        <Group justify="space-between" wrap="nowrap" flex={1} gap="sm">
          <span>{option.label}</span>
          <Text component="span" size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
            {money(byId.get(option.value)?.pack_price)}
          </Text>
        </Group>
      )}
    />
  );
}
