import { ActionIcon, Button, Group, Input, Text, TextInput } from '@mantine/core';
import type { GetInputPropsReturnType, UseFormReturnType } from '@mantine/form';
import { IconPlus, IconX } from '@tabler/icons-react';
import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { MAX_LINEAS, PEDIDO_FIELDS } from '../../../contract/pedidos/fields.ts';
import type { Linea } from '../../../contract/pedidos/lineas.ts';
import { can } from '../../../contract/policy/policy.ts';
import type { Pack } from '../../../contract/products/products.ts';
import { IvaSelect } from '../../iva/iva-select.tsx';
import { useSession } from '../../session/session.ts';
import { NumberField } from '../../ui/form/form-number.tsx';
import { money } from '../../ui/format/format.ts';
import { AddStock } from './add-stock.tsx';
import classes from './lineas.module.css';
import { PackPicker, packsLeft } from './pack-picker.tsx';
import type { TypedPack } from './typed-packs.ts';
import { EMPTY_LINEA, isFixed, isUntouchable, isUntouched, keptCost, type LineaValues, parseCantidad } from './values.ts';

type Form = Pick<
  UseFormReturnType<{ lineas: LineaValues[] }>,
  'getValues' | 'errors' | 'getInputProps' | 'getInputNode' | 'insertListItem' | 'removeListItem'
>;
type Props = {
  form: Form;
  packs: readonly Pack[] | undefined;
  /** Allows lines with free text and price. */
  free: boolean;
  /** Lines already stored in the order. */
  kept?: readonly Linea[];
};

/** Editable lines of an order. Adding a line focuses the line; removing a line focuses the add button. */
export function LineasFields({ form, packs, free, kept }: Props) {
  const adder = useRef<HTMLButtonElement>(null);
  const { lineas } = form.getValues();
  const several = lineas.length > 1;

  function add(libre: boolean) {
    const key = Math.max(...lineas.map((linea) => linea.key)) + 1;
    // Replaces a single untouched line of the other kind, pack or free.
    const [only] = lineas;
    const instead = !several && only && only.libre !== libre && isUntouched(only);
    flushSync(() => {
      if (instead) form.removeListItem('lineas', 0);
      form.insertListItem('lineas', { ...EMPTY_LINEA, key, libre });
    });
    form.getInputNode(`lineas.${instead ? 0 : lineas.length}.${libre ? 'producto' : 'pack_id'}`)?.focus();
  }
  function remove(index: number) {
    flushSync(() => form.removeListItem('lineas', index));
    adder.current?.focus();
  }
  /** Fills the line with the first typed pack, and adds a line for each further pack. */
  function take(index: number, items: readonly TypedPack[]) {
    const [first, ...others] = items;
    if (!first) return;
    const last = Math.max(...lineas.map(({ key }) => key));
    form.getInputProps(`lineas.${index}.pack_id`).onChange(first.pack_id);
    form.getInputProps(`lineas.${index}.cantidad`).onChange(first.cantidad);
    for (const [at, other] of others.slice(0, MAX_LINEAS - lineas.length).entries())
      form.insertListItem('lineas', { ...EMPTY_LINEA, ...other, key: last + 1 + at }, index + 1 + at);
  }
  const full = lineas.length >= MAX_LINEAS;
  const button = { variant: 'default', size: 'compact-md', leftSection: <IconPlus size={15} aria-hidden /> };

  return (
    <div className={classes.lineas} data-several={several || undefined}>
      {lineas.map((linea, index) => (
        <LineaFields
          key={linea.key}
          linea={linea}
          index={index}
          follows={index > 0 && lineas[index - 1]?.libre === linea.libre}
          packs={packs}
          kept={kept?.find(({ numero }) => numero === linea.numero)}
          priced={!!kept}
          input={(name) => form.getInputProps(`lineas.${index}.${name}`)}
          onTyped={(items) => take(index, items)}
          onRemove={several && !isUntouchable(linea) ? () => remove(index) : undefined}
        />
      ))}
      {form.errors.lineas && (
        <Text c="var(--mantine-color-error)" role="alert">
          {form.errors.lineas}
        </Text>
      )}
      <Group>
        {/* Disabled until the packs load, because an empty picker cannot take the focus. */}
        <Button {...button} ref={adder} disabled={full || !packs?.length} onClick={() => add(false)}>
          Añadir otro producto
        </Button>
        {free && (
          <Button {...button} disabled={full} onClick={() => add(true)}>
            Añadir línea libre
          </Button>
        )}
      </Group>
    </div>
  );
}

type LineaFieldsProps = {
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
function LineaFields({ linea, index, follows, packs, kept, priced, input, onRemove, onTyped }: LineaFieldsProps) {
  const named = (label: string) => (index ? `${label} ${index + 1}` : label);
  const pack = packs?.find(({ id }) => id === linea.pack_id);
  const actor = useSession();
  const withIva = actor.iva === true;
  const short = pack ? (parseCantidad(linea.cantidad) ?? 1) - pack.quedan : 0;
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
          like={linea.producto}
          description={
            priced && pack
              ? `A ${money(pack.pack_price)}, el precio de hoy`
              : !pack && linea.producto && `En el mensaje: «${linea.producto}»`
          }
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
      {pack && !fixed && short > 0 && can(actor, 'product:manage') && <AddStock key={pack.id} pack={pack} short={short} />}
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

/** Spanish hint about a quantity above the stored one: the difference costs today's price, if the pack is still sold. */
function moreOf(kept: Linea, linea: LineaValues, packs: readonly Pack[] | undefined): string | undefined {
  const cantidad = parseCantidad(linea.cantidad);
  if (cantidad === undefined || cantidad <= kept.cantidad || !packs) return undefined;
  const { total, more } = keptCost(kept, cantidad, packs);
  if (total === undefined) return `Ya no se vende: como máximo ${kept.cantidad}`;
  return more && `${kept.cantidad} a ${money(kept.precio_unitario)} y ${more.cantidad} a ${money(more.unit)}, el precio de hoy`;
}

function amountHint(pack: Pack): string | undefined {
  const size = pack.pack_quantity > 1 && `Packs de ${pack.pack_quantity} unidades`;
  return [size, packsLeft(pack)].filter(Boolean).join(' · ') || undefined;
}
