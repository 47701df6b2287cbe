import { Group, type OptionsFilter, Text } from '@mantine/core';
import { listPacks, type Pack } from '../../../contract/products/products.ts';
import { useApi } from '../../api.ts';
import { Picture } from '../../products/picture.tsx';
import type { PickerProps } from '../../ui/form/picker.tsx';
import { money } from '../../ui/format/format.ts';
import { matches } from '../../ui/list/local-list.ts';
import { Choice } from '../../ui/overlay/choice.tsx';

/** «product name – pack name» (specification, section 2.14). */
export const packLabel = (pack: Pick<Pack, 'product_name' | 'name'>): string => `${pack.product_name} – ${pack.name}`;

/** Packs on sale; undefined while loading. */
export function usePacks() {
  const { data, error, refetch } = useApi(listPacks, {});
  return { packs: data?.data.filter((pack) => pack.available), error, refetch };
}

const FEW = 10;

/** Remaining packs in words, if few. */
export function packsLeft({ quedan }: Pick<Pack, 'quedan'>): string | undefined {
  if (quedan === 0) return 'Agotado';
  if (quedan > FEW) return undefined;
  return quedan === 1 ? 'Queda 1 pack' : `Quedan ${quedan} packs`;
}

/** Problem with the chosen pack; `required` if none is chosen. */
export function packProblem(packs: readonly Pack[] | undefined, id: string, required: string): string | null {
  if (!id) return required;
  const pack = packs?.find((each) => each.id === id);
  if (!pack) return 'Selecciona un pack válido';
  return pack.quedan === 0 ? 'Este pack está agotado: elige otro' : null;
}

type Props = Omit<PickerProps, 'data' | 'filter' | 'renderOption' | 'placeholder' | 'disabled'> & { packs: readonly Pack[] | undefined };

/** Finds packs by pack name, product name or alias. */
export function PackPicker({ packs, ...props }: Props) {
  const pictured = packs?.some(({ picture }) => picture);
  const byId = new Map(packs?.map((pack) => [pack.id, pack]));
  const chosen = byId.get(props.value ?? '');
  const filter: OptionsFilter = ({ options, search, limit }) =>
    options
      .filter((option) => !('group' in option) && matches(search, option.label, byId.get(String(option.value))?.alias ?? ''))
      .slice(0, limit);
  return (
    <Choice
      searchable
      {...props}
      value={props.value ?? null}
      leftSection={chosen?.picture && <Picture of={chosen.picture} size={24} />}
      data={packs?.map((pack) => ({ value: pack.id, label: packLabel(pack), disabled: pack.quedan === 0 })) ?? []}
      placeholder={!packs ? 'Cargando...' : packs.length ? 'Elige un pack' : 'No hay packs activos'}
      disabled={!packs?.length}
      filter={filter}
      nothingFoundMessage="Ningún pack coincide"
      maxDropdownHeight={320}
      renderOption={({ option }) => <PackOption label={option.label} pack={byId.get(option.value)} pictured={pictured} />}
    />
  );
}

function PackOption({ label, pack, pictured }: { label: string; pack: Pack | undefined; pictured: boolean | undefined }) {
  const left = pack && packsLeft(pack);
  return (
    <Group wrap="nowrap" flex={1} gap="sm">
      {pictured && <Picture of={pack?.picture ?? null} size={36} />}
      <div>
        {label}
        {left && (
          <Text size="xs" c="dimmed">
            {left}
          </Text>
        )}
      </div>
      <Text component="span" size="sm" ml="auto" style={{ whiteSpace: 'nowrap' }}>
        {money(pack?.pack_price)}
      </Text>
    </Group>
  );
}
