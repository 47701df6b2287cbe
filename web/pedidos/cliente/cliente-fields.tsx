import { TextInput, type TextInputProps } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { type ChangeEvent, type ComponentType, useId, useRef, useState } from 'react';
import type { Cliente } from '../../../contract/clientes/clientes.ts';
import { KINDS } from '../../../contract/kit/fields.ts';
import { visibleFields, writableFields } from '../../../contract/pedidos/access.ts';
import { EDITABLE_FIELDS, type EditableField, pedidoField } from '../../../contract/pedidos/fields.ts';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { isSpain } from '../../../contract/text/country.ts';
import { provinciaByPostcode } from '../../../contract/text/provincias.ts';
import { useSession } from '../../session/session.ts';
import { GrowingTextarea } from '../../ui/form/form-actions.tsx';
import { Lejos } from '../../zonas/lejos.tsx';
import classes from './cliente-fields.module.css';
import { type ClienteValues, clienteFilled } from './cliente-values.ts';
import { poblacionesDe } from './poblaciones.ts';

// Order and width of the inputs; other fields come last, at full width.
const PLACES: [EditableField, ('half' | 'third')?][] = [
  ['cliente_nombre', 'half'],
  ['cliente_telefono', 'half'],
  ['cliente_direccion'],
  ['cliente_direccion2', 'third'],
  ['cliente_codigo_postal', 'third'],
  ['cliente_ciudad', 'third'],
  ['cliente_provincia', 'third'],
  ['cliente_pais', 'third'],
  ['cliente_nif', 'third'],
  ['franja_horaria', 'third'],
  ['referencia_externa', 'third'],
  ['instrucciones'],
];
const placed = PLACES.map(([name]) => name);
const INPUTS = [...PLACES, ...EDITABLE_FIELDS.filter((name) => !placed.includes(name)).map((name): [EditableField] => [name])];

/** Props of an input that suggests known customers. */
export type FinderProps = { input: TextInputProps; onPick: (cliente: Cliente) => void };
const FINDS: readonly EditableField[] = ['cliente_nombre', 'cliente_telefono'];

/** Fields of a new order that are always visible; «Más datos» shows the rest. */
const FIRST: readonly EditableField[] = [
  'cliente_nombre',
  'cliente_telefono',
  'cliente_direccion',
  'cliente_direccion2',
  'cliente_codigo_postal',
  'cliente_ciudad',
];
/** Widths of fields that share a row of the first block with a narrow one. */
const FIRST_WIDTH: Partial<Record<EditableField, string | undefined>> = { cliente_direccion: classes.street, cliente_ciudad: classes.rest };
export const FURTHER: readonly EditableField[] = INPUTS.map(([name]) => name).filter((name) => !FIRST.includes(name));

/** True if the form has the tax number, which only a shop that uses VAT needs. */
export const isNifAsked = ({ iva }: { iva?: true | undefined }, { cliente_nif }: { cliente_nif: string | null }) => !!iva || !!cliente_nif;

type Props = {
  form: ClienteForm;
  /** Renders only these fields; by default all. */
  part?: 'first' | 'further';
  /** Labels with «Cliente - Nombre» instead of «Nombre», where no heading names the customer. */
  prefixed?: boolean;
  /** Edited order, whose fields are read-only where the user may not write them; undefined for a new order. */
  pedido?: Pedido;
  /** Renders name and phone with suggestions of known customers. */
  Finder?: ComponentType<FinderProps>;
  onPick?: (cliente: Cliente) => void;
};

/** Customer and address of an order. A Spanish postcode fills in its town and province unless different values were typed. */
export function ClienteFields({ form, part, prefixed = false, pedido, Finder, onPick }: Props) {
  const actor = useSession();
  const may = writableFields(actor, pedido);
  const shown = pedido ? visibleFields(actor, pedido) : may;
  const isAsked = (name: EditableField) => name !== 'cliente_nif' || isNifAsked(actor, form.getValues());
  const locked = (name: EditableField) => !may.includes(name);

  const { change, towns } = usePostcode(form);
  const townList = useId();

  // Foreign postcodes may have letters.
  const postcode = () => ({
    onChange: change,
    inputMode: isSpain(form.getValues().cliente_pais) ? ('numeric' as const) : ('text' as const),
  });

  /** Fills in the chosen customer; other fields of the order, such as a reference, stay. */
  function fill(cliente: Cliente) {
    const values = clienteFilled(form.getValues(), cliente);
    for (const name of EDITABLE_FIELDS) form.setFieldValue(name, values[name]);
    onPick?.(cliente);
  }

  return (
    <div className={classes.grid}>
      {INPUTS.filter(([name]) => shown.includes(name) && isAsked(name) && (!part || FIRST.includes(name) === (part === 'first'))).map(
        ([name, size]) => {
          const { label, formLabel, kind, max, required } = pedidoField(name);
          const props = {
            ...form.getInputProps(name),
            name,
            maxLength: max,
            className: part === 'first' ? (FIRST_WIDTH[name] ?? (size && classes[size])) : size && classes[size],
            label: (prefixed && formLabel) || label,
            withAsterisk: required !== undefined && !locked(name),
            'aria-required': required !== undefined || undefined,
            // The data is a customer's, so the browser's suggestions would be wrong.
            autoComplete: 'off',
          };
          // A textarea wraps long read-only values instead of cutting them off.
          if (locked(name))
            return <GrowingTextarea key={form.key(name)} {...props} readOnly variant="unstyled" placeholder="—" minRows={1} />;
          if (kind === 'multiline') return <GrowingTextarea key={form.key(name)} {...props} minRows={2} maxRows={6} />;
          const type = KINDS[kind].inputType ?? 'text';
          if (Finder && FINDS.includes(name)) return <Finder key={form.key(name)} input={{ ...props, type }} onPick={fill} />;
          const list = name === 'cliente_ciudad' && towns.length > 0 && { list: townList };
          return <TextInput key={form.key(name)} {...props} type={type} {...(kind === 'postcode' && postcode())} {...list} />;
        },
      )}
      {part !== 'further' && (
        <>
          <Lejos address={form.getValues()} />
          <datalist id={townList}>
            {towns.map((town) => (
              <option key={town} value={town} />
            ))}
          </datalist>
        </>
      )}
    </div>
  );
}

type ClienteForm = Pick<UseFormReturnType<ClienteValues>, 'getInputProps' | 'setFieldValue' | 'getValues' | 'key'>;

/** Fills in province and town of a Spanish postcode, unless different values were typed. If the postcode has several towns, `towns` lists them. */
function usePostcode(form: ClienteForm): { change: (event: ChangeEvent<HTMLInputElement>) => void; towns: string[] } {
  // Values filled in from a postcode, which another postcode may replace.
  const filled = useRef<{ provincia?: string; ciudad?: string }>({});
  const [towns, setTowns] = useState<string[]>([]);

  async function fillTown(before: string, typed: string, pais: string) {
    const [old, found] = await Promise.all([poblacionesDe(before, pais), poblacionesDe(typed, pais)]);
    // Ignores an answer that further typing has superseded.
    if (form.getValues().cliente_codigo_postal !== typed) return;
    // Only suggests a town while the person is in the field.
    const isTyping = (document.activeElement as HTMLInputElement | null)?.name === 'cliente_ciudad';
    setTowns(found.length > 1 || isTyping ? found : []);
    const ours = ['', filled.current.ciudad, ...old].includes(form.getValues().cliente_ciudad.trim());
    if (!ours || isTyping || found.length === 0) return;
    filled.current.ciudad = found.length === 1 ? found[0] : '';
    form.setFieldValue('cliente_ciudad', filled.current.ciudad ?? '');
  }

  function change(event: ChangeEvent<HTMLInputElement>) {
    const { cliente_provincia, cliente_codigo_postal, cliente_pais } = form.getValues();
    const typed = event.currentTarget.value;
    form.getInputProps('cliente_codigo_postal').onChange(event);
    void fillTown(cliente_codigo_postal, typed, cliente_pais);
    const ours = ['', filled.current.provincia, provinciaByPostcode(cliente_codigo_postal, cliente_pais)].includes(
      cliente_provincia.trim(),
    );
    const found = provinciaByPostcode(typed, cliente_pais);
    if (!ours || !found) return;
    filled.current.provincia = found;
    form.setFieldValue('cliente_provincia', found);
  }

  return { change, towns };
}
