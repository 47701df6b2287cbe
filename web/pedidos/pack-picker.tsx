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

const FEW = 10;

/** How many packs are left, where they are few. */
export function packsLeft({ quedan }: Pick<Pack, 'quedan'>): string | undefined {
  if (quedan === 0) return 'Agotado';
  if (quedan > FEW) return undefined;
  return quedan === 1 ? 'Queda 1 pack' : `Quedan ${quedan} packs`;
}

/** What is wrong with the chosen pack; `required` if there is none. */
export function packProblem(packs: readonly Pack[] | undefined, id: string, required: string): string | null {
  if (!id) return required;
  const pack = packs?.find((each) => each.id === id);
  if (!pack) return 'Selecciona un pack válido';
  return pack.quedan === 0 ? 'Este pack está agotado: elige otro' : null;
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
      data={packs?.map((pack) => ({ value: pack.id, label: packLabel(pack), disabled: pack.quedan === 0 })) ?? []}
      placeholder={!packs ? 'Cargando...' : packs.length ? 'Elige un pack' : 'No hay packs activos'}
      disabled={!packs?.length}
      filter={filter}
      nothingFoundMessage="Ningún pack coincide"
      maxDropdownHeight={320}
      renderOption={({ option }) => <PackOption label={option.label} pack={byId.get(option.value)} />}
    />
  );
}

function PackOption({ label, pack }: { label: string; pack: Pack | undefined }) {
  const left = pack && packsLeft(pack);
  return (
    <Group justify="space-between" wrap="nowrap" flex={1} gap="sm">
      <div>
        {label}
        {left && (
          <Text size="xs" c="dimmed">
            {left}
          </Text>
        )}
      </div>
      <Text component="span" size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        {money(pack?.pack_price)}
      </Text>
    </Group>
  );
}
