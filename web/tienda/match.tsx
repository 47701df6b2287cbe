import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { plural } from '../../contract/text/plural.ts';
import { emparejarTienda, type LineaTienda } from '../../contract/tienda/tienda.ts';
import { useMutate } from '../api.ts';
import { packLabel } from '../pedidos/lineas/pack-label.ts';
import { PackPicker, type PackPickerProps, usePacks } from '../pedidos/lineas/pack-picker.tsx';

type Product = Pick<LineaTienda, 'clave' | 'pack_id' | 'sin_mercancia' | 'sugerido_id'> & {
  nombre: string | null;
  tienda_id: string | null;
};
type Answer = { pack_id: string } | { sin_mercancia: true };
type Props = Pick<PackPickerProps, 'label' | 'aria-label' | 'description'> & {
  product: Product;
  /** Saves the answer for one line whose product has no key. */
  onLine?: (answer: Answer) => void;
};

/** Form for the pack of a shop's product: choose, then confirm the result. */
export function Match({ product, onLine, description, ...labels }: Props) {
  const { packs } = usePacks();
  const match = useMutate(emparejarTienda, { failure: 'No se pudo guardar el pack' });
  const [chosen, setChosen] = useState<Answer>();
  const { clave, tienda_id, pack_id, sin_mercancia, sugerido_id } = product;
  const name = product.nombre ?? clave;
  const of = (id: string | null) => packs?.find((pack) => pack.id === id);
  const [suggested, pack] = [of(sugerido_id), chosen && 'pack_id' in chosen ? of(chosen.pack_id) : undefined];
  const save = (answer: Answer) => {
    if (onLine) onLine(answer);
    else match.mutate({ body: { clave, tienda_id, ...answer } }, { onSuccess: () => setChosen(undefined) });
  };
  const says = pack
    ? `${clave ? `Cada «${name}»` : `«${name}», en este pedido,`} será ${packLabel(pack)}: ${plural(pack.pack_quantity, 'unidad', 'unidades')} del stock de ${pack.product_name}.`
    : `«${name}» se cobra y no se prepara ni sale del stock.`;
  return (
    <Stack gap={4}>
      <PackPicker
        size="xs"
        {...labels}
        description={[description, sin_mercancia && 'No es mercancía'].filter(Boolean).join(' · ') || undefined}
        packs={packs}
        value={pack?.id ?? pack_id}
        onChange={(id) => setChosen(id && id !== pack_id ? { pack_id: id } : undefined)}
      />
      {chosen ? (
        <>
          <Text size="xs">
            {says}
            {clave && ' Los pedidos que esperan por él se hacen al guardar.'}
          </Text>
          <Group gap="xs">
            <Button size="compact-xs" loading={match.isPending} aria-label={`Guardar: ${name}`} onClick={() => save(chosen)}>
              Guardar
            </Button>
            <Button size="compact-xs" variant="default" aria-label={`Cancelar: ${name}`} onClick={() => setChosen(undefined)}>
              Cancelar
            </Button>
          </Group>
        </>
      ) : (
        !pack_id &&
        !sin_mercancia && (
          <Group gap="xs">
            {suggested && (
              <Button size="compact-xs" variant="light" onClick={() => setChosen({ pack_id: suggested.id })}>
                ¿Es {packLabel(suggested)}?
              </Button>
            )}
            <Button
              size="compact-xs"
              variant="subtle"
              aria-label={`${name} no es mercancía`}
              onClick={() => setChosen({ sin_mercancia: true })}
            >
              No es mercancía
            </Button>
          </Group>
        )
      )}
    </Stack>
  );
}
