import { Button, Group, Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconPlus } from '@tabler/icons-react';
import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { MAX_LINEAS } from '../../../contract/pedidos/fields.ts';
import type { Linea } from '../../../contract/pedidos/lineas.ts';
import type { Pack } from '../../../contract/products/products.ts';
import { LineaFields } from './linea-fields.tsx';
import classes from './lineas.module.css';
import type { TypedPack } from './typed-packs.ts';
import { EMPTY_LINEA, isUntouchable, isUntouched, type LineaValues } from './values.ts';

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
