import { Group, type OptionsFilter, Text } from '@mantine/core';
import { useState } from 'react';
import { can } from '../../../contract/policy/policy.ts';
import { listPacks, type Pack } from '../../../contract/products/products.ts';
import { useApi } from '../../api.ts';
import { Picture } from '../../products/picture.tsx';
import { useSession } from '../../session/session.ts';
import { Picker, type PickerProps } from '../../ui/form/picker.tsx';
import { money } from '../../ui/format/format.ts';
import { matches } from '../../ui/list/local-list.ts';
import { packLabel } from './pack-label.ts';
import { byLikeness } from './pack-matcher.ts';
import { readTyped, type TypedPack } from './typed-packs.ts';

export function usePacks() {
  const { data, error, refetch } = useApi(listPacks, {});
  return { packs: data?.data.filter((pack) => pack.available), error, refetch };
}

const FEW = 10;

/** Number of remaining packs, in Spanish; undefined if more than `FEW`. */
export function packsLeft({ quedan }: Pick<Pack, 'quedan'>): string | undefined {
  if (quedan === 0) return 'Agotado';
  if (quedan > FEW) return undefined;
  return quedan === 1 ? 'Queda 1 pack' : `Quedan ${quedan} packs`;
}

/** Error message about the chosen pack, `required` if none is chosen; null if valid. */
export function packProblem(packs: readonly Pack[] | undefined, id: string, required: string): string | null {
  if (!id) return required;
  const pack = packs?.find((each) => each.id === id);
  if (!pack) return 'Selecciona un pack válido';
  return pack.quedan === 0 ? 'Este pack está agotado: elige otro' : null;
}

export type PackPickerProps = Omit<
  PickerProps,
  'data' | 'filter' | 'renderOption' | 'placeholder' | 'disabled' | 'onSearch' | 'onOptionSubmit'
> & {
  packs: readonly Pack[] | undefined;
  /** Words of somebody else, such as a sheet's; the packs most like them come first. */
  like?: string;
  /** Called with the packs of a typed order such as «2 aceite 6», when the person chooses that option. */
  onTyped?: (items: readonly TypedPack[]) => void;
};

/** Picks a pack by pack name, product name or alias. Also reads typed orders with quantities. */
export function PackPicker({ packs: known, like, onTyped, ...props }: PackPickerProps) {
  const packs = known && like ? byLikeness(known, like) : known;
  const [search, setSearch] = useState('');
  const read = packs && onTyped && search ? readTyped(search, packs) : undefined;
  // Who may note stock chooses what is sold out, and notes it in the order.
  const mayAdd = can(useSession(), 'product:manage');
  const pictured = packs?.some(({ picture }) => picture);
  const byId = new Map(packs?.map((pack) => [pack.id, pack]));
  const chosen = byId.get(props.value ?? '');
  const labelOf = ({ value, label }: { value: string; label: string }) =>
    read?.choices
      .get(value)
      ?.map(({ pack_id, cantidad }) => `${cantidad} × ${packLabel(byId.get(pack_id) as Pack)}`)
      .join(' y ') ?? label;
  const filter: OptionsFilter = ({ options, search, limit }) =>
    read
      ? options.filter((option) => !('group' in option) && read.choices.has(String(option.value)))
      : options
          .filter((option) => !('group' in option) && matches(search, option.label, byId.get(String(option.value))?.alias ?? ''))
          .slice(0, limit);
  return (
    <Picker
      {...props}
      value={props.value ?? null}
      leftSection={chosen?.picture && <Picture of={chosen.picture} name="" size={24} />}
      data={packs?.map((pack) => ({ value: pack.id, label: packLabel(pack), disabled: pack.quedan === 0 && !mayAdd })) ?? []}
      placeholder={!packs ? 'Cargando...' : packs.length ? 'Elige un pack' : 'No hay packs activos'}
      disabled={!packs?.length}
      filter={filter}
      nothingFoundMessage="Ningún pack coincide"
      onSearch={setSearch}
      onOptionSubmit={(id) => {
        if (read) onTyped?.(read.choices.get(id) ?? []);
        setSearch('');
      }}
      renderOption={({ option }) => <PackOption label={labelOf(option)} pack={byId.get(option.value)} pictured={pictured} />}
    />
  );
}

function PackOption({ label, pack, pictured }: { label: string; pack: Pack | undefined; pictured: boolean | undefined }) {
  const left = pack && packsLeft(pack);
  return (
    <Group wrap="nowrap" flex={1} gap="sm">
      {pictured && <Picture of={pack?.picture} name={pack?.product_name ?? ''} size={36} />}
      <div>
        {label}
        {left && <Text size="xs">{left}</Text>}
      </div>
      <Text component="span" ml="auto" style={{ whiteSpace: 'nowrap' }}>
        {money(pack?.pack_price)}
      </Text>
    </Group>
  );
}
