import { ActionIcon, Input, Text, TextInput } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import { IconX } from '@tabler/icons-react';
import { PEDIDO_FIELDS } from '../../../contract/pedidos/fields.ts';
import type { Linea } from '../../../contract/pedidos/lineas.ts';
import type { Pack } from '../../../contract/products/products.ts';
import { IvaSelect } from '../../iva/iva-select.tsx';
import { useSession } from '../../session/session.ts';
import { NumberField } from '../../ui/form/form-number.tsx';
import { money } from '../../ui/format/format.ts';
import classes from './lineas.module.css';
import { PackPicker, packsLeft } from './pack-picker.tsx';
import type { TypedPack } from './typed-packs.ts';
import { cantidadOf, isFixed, isUntouchable, keptCost, type LineaValues } from './values.ts';

type Props = {
  linea: LineaValues;
  index: number;
  /** True if the line above has the same fields. On wide screens only the upper line then shows labels. */
  follows: boolean;
  packs: readonly Pack[] | undefined;
  /** The line as stored in the order. */
  kept: Linea | undefined;
  /** True to show today's price, because stored lines keep older prices. */
  priced: boolean;
  input: (name: 'pack_id' | 'producto' | 'cantidad' | 'precio_unitario' | 'iva') => GetInputPropsReturnType;
  onRemove: (() => void) | undefined;
  /** Called with packs and quantities typed into the pack field. */
  onTyped: (items: readonly TypedPack[]) => void;
};

const REQUIRED = { withAsterisk: true, 'aria-required': true } as const;
const BELOW = ['label', 'input', 'description', 'error'] as ('label' | 'input' | 'description' | 'error')[];

/** Fields of a line: pack and quantity, or free text, price and quantity. */
export function LineaFields({ linea, index, follows, packs, kept, priced, input, onRemove, onTyped }: Props) {
  const named = (label: string) => (index ? `${label} ${index + 1}` : label);
  const pack = packs?.find(({ id }) => id === linea.pack_id);
  const withIva = useSession().iva === true;
  const fixed = isFixed(linea);
  const untouchable = isUntouchable(linea);
  const more = kept && fixed ? moreOf(kept, linea, packs) : undefined;
  const label = { classNames: { label: classes.label } };
  const chosen = input('pack_id');
  return (
    <div className={classes.linea} data-follows={follows || undefined} data-libre={linea.libre || undefined}>
      {fixed && (
        <Input.Wrapper {...label} label={named('Producto')} labelElement="div" className={classes.what} error={chosen.error}>
          <div className={classes.fixed}>
            {kept?.producto}{' '}
            <Text component="span" c="dimmed">
              a {money(kept?.precio_unitario)}
            </Text>
          </div>
        </Input.Wrapper>
      )}
      {!fixed && !linea.libre && (
        <PackPicker
          {...chosen}
          {...label}
          {...REQUIRED}
          packs={packs}
          onTyped={onTyped}
          label={named('Pack')}
          description={priced && pack && `A ${money(pack.pack_price)}, el precio de hoy`}
          inputWrapperOrder={BELOW}
          className={classes.what}
          value={pack?.id ?? null}
          onChange={(value) => chosen.onChange(value ?? '')}
        />
      )}
      {linea.libre && (
        <>
          <TextInput
            {...input('producto')}
            {...label}
            {...REQUIRED}
            // A free line without text gets the error of a line without a pack.
            error={input('producto').error ?? chosen.error}
            label={named('Descripción')}
            maxLength={PEDIDO_FIELDS.producto.max}
            autoComplete="off"
            className={classes.what}
          />
          <NumberField
            {...input('precio_unitario')}
            {...label}
            {...REQUIRED}
            label={`${named('Precio')} (€)`}
            decimals={2}
            className={classes.price}
          />
        </>
      )}
      <NumberField
        {...input('cantidad')}
        {...label}
        {...REQUIRED}
        label={named('Cantidad')}
        description={untouchable ? 'La ha puesto un administrador' : fixed ? more : pack && amountHint(pack)}
        inputWrapperOrder={BELOW}
        disabled={untouchable}
        min={1}
        className={classes.cantidad}
      />
      {linea.libre && withIva && <IvaSelect {...input('iva')} label={named('Tipo de IVA')} className={classes.iva} />}
      {onRemove && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={36}
          className={classes.remove}
          aria-label={`Quitar la línea ${index + 1}`}
          title={`Quitar la línea ${index + 1}`}
          onClick={onRemove}
        >
          <IconX size={18} stroke={1.8} aria-hidden />
        </ActionIcon>
      )}
    </div>
  );
}

/** Spanish hint about units beyond the stored quantity, which cost today's price. */
function moreOf(kept: Linea, linea: LineaValues, packs: readonly Pack[] | undefined): string | undefined {
  const cantidad = cantidadOf(linea.cantidad);
  if (cantidad === undefined || cantidad <= kept.cantidad || !packs) return undefined;
  const { total, more } = keptCost(kept, cantidad, packs);
  if (total === undefined) return `Ya no se vende: como máximo ${kept.cantidad}`;
  return more && `${kept.cantidad} a ${money(kept.precio_unitario)} y ${more.cantidad} a ${money(more.unit)}, el precio de hoy`;
}

function amountHint(pack: Pack): string | undefined {
  const size = pack.pack_quantity > 1 && `Packs de ${pack.pack_quantity} unidades`;
  return [size, packsLeft(pack)].filter(Boolean).join(' · ') || undefined;
}
