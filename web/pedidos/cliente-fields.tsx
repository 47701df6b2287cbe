import { Textarea, TextInput, type TextInputProps } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { type ChangeEvent, type ComponentType, useRef } from 'react';
import type { Cliente } from '../../contract/clientes.ts';
import classes from './cliente-fields.module.css';
import { provinciaOf } from './provincias.ts';

export const CLIENTE_VACIO = {
  cliente_nombre: '',
  cliente_telefono: '',
  cliente_direccion: '',
  cliente_direccion2: '',
  cliente_codigo_postal: '',
  cliente_ciudad: '',
  cliente_provincia: '',
  cliente_pais: 'España',
  instrucciones: '',
};
export type ClienteValues = typeof CLIENTE_VACIO;
type Key = keyof ClienteValues;
const KEYS = Object.keys(CLIENTE_VACIO) as Key[];

/** The form's values of an existing order. */
export const clienteFrom = (pedido: { [K in Key]?: string | null }): ClienteValues =>
  Object.fromEntries(KEYS.map((key) => [key, pedido[key] ?? ''])) as ClienteValues;

type ClienteBody = { [K in Key]: string | null } & { cliente_nombre: string; cliente_direccion: string };
/** What is sent: trimmed, and null for an optional field left empty. */
export function clienteBody(values: ClienteValues): ClienteBody {
  const body = Object.fromEntries(KEYS.map((key) => [key, values[key].trim() || null])) as { [K in Key]: string | null };
  return { ...body, cliente_nombre: body.cliente_nombre ?? '', cliente_direccion: body.cliente_direccion ?? '' };
}

/** Rules of @mantine/form for the two fields an order cannot do without. */
export const clienteRules = (message: string) => ({
  cliente_nombre: (value: string) => (value.trim() ? null : message),
  cliente_direccion: (value: string) => (value.trim() ? null : message),
});

type Field = { key: Key; label: string; max: number; size?: 'half' | 'third'; required?: boolean; own?: string; type?: 'tel' };
const FIELDS: Field[] = [
  { key: 'cliente_nombre', label: 'Nombre', max: 160, size: 'half', required: true, own: 'Cliente - Nombre' },
  { key: 'cliente_telefono', label: 'Teléfono', max: 30, size: 'half', own: 'Cliente - Teléfono', type: 'tel' },
  { key: 'cliente_direccion', label: 'Dirección', max: 240, required: true, own: 'Cliente - Dirección' },
  { key: 'cliente_direccion2', label: 'Piso / Puerta / Oficina', max: 200, size: 'third' },
  { key: 'cliente_codigo_postal', label: 'Código Postal', max: 12, size: 'third' },
  { key: 'cliente_ciudad', label: 'Ciudad', max: 120, size: 'third' },
  { key: 'cliente_provincia', label: 'Provincia / Estado', max: 120, size: 'half' },
  { key: 'cliente_pais', label: 'País', max: 80, size: 'half' },
];

/** A field that knows how to find a customer: the input as it would be drawn, and what to do with the one chosen. */
export type FinderProps = { input: TextInputProps; onPick: (cliente: Cliente) => void };
const FINDS: readonly Key[] = ['cliente_nombre', 'cliente_telefono'];

type Props = {
  form: Pick<UseFormReturnType<ClienteValues>, 'getInputProps' | 'setFieldValue' | 'getValues' | 'key'>;
  /** «Cliente - Nombre» instead of «Nombre», where no heading says whose name it is. */
  prefixed?: boolean;
  /** Fields that are shown and cannot be changed: all, none, or these. */
  readOnly?: boolean | ((key: Key) => boolean);
  /** Draws name and phone where customers of other orders may be chosen. */
  Finder?: ComponentType<FinderProps>;
};

/** The customer and the address of an order. A Spanish postcode fills in its province, unless another was written. */
export function ClienteFields({ form, prefixed = false, readOnly = false, Finder }: Props) {
  const locked = (key: Key) => (typeof readOnly === 'function' ? readOnly(key) : readOnly);
  // Whoever fills this in writes about somebody else: the browser's own suggestions would be wrong.
  const input = (key: Key, maxLength: number) => ({
    ...form.getInputProps(key),
    name: key,
    maxLength,
    readOnly: locked(key),
    ...(locked(key) && { variant: 'unstyled', placeholder: '—' }),
    autoComplete: 'off',
  });

  // The province that a postcode filled in, as long as nobody wrote another.
  const filled = useRef<string>(undefined);
  function changeCodigo(event: ChangeEvent<HTMLInputElement>) {
    const { cliente_provincia, cliente_codigo_postal, cliente_pais } = form.getValues();
    form.getInputProps('cliente_codigo_postal').onChange(event);
    const ours = ['', filled.current, provinciaOf(cliente_codigo_postal, cliente_pais)].includes(cliente_provincia.trim());
    const found = provinciaOf(event.currentTarget.value, cliente_pais);
    if (!ours || !found) return;
    filled.current = found;
    form.setFieldValue('cliente_provincia', found);
  }

  /** Everything that is known of the customer; what is said of one order is left as it is. */
  function fill({ pedidos: _, ...cliente }: Cliente) {
    const { instrucciones } = form.getValues();
    const values = clienteFrom({ ...cliente, cliente_pais: cliente.cliente_pais ?? CLIENTE_VACIO.cliente_pais, instrucciones });
    for (const key of KEYS) form.setFieldValue(key, values[key]);
  }

  return (
    <div className={classes.grid}>
      {FIELDS.map(({ key, label, max, size, required = false, own, type = 'text' }) => {
        const props = {
          ...input(key, max),
          className: size && classes[size],
          label: (prefixed && own) || label,
          withAsterisk: required && !locked(key),
          'aria-required': required || undefined,
        };
        // What is only read wraps instead of being cut.
        if (locked(key)) return <Textarea key={form.key(key)} {...props} autosize minRows={1} />;
        if (Finder && FINDS.includes(key)) return <Finder key={form.key(key)} input={{ ...props, type }} onPick={fill} />;
        return (
          <TextInput key={form.key(key)} {...props} type={type} {...(key === 'cliente_codigo_postal' && { onChange: changeCodigo })} />
        );
      })}
      <Textarea
        key={form.key('instrucciones')}
        {...input('instrucciones', 1000)}
        label="Instrucciones"
        autosize
        minRows={locked('instrucciones') ? 1 : 2}
        maxRows={locked('instrucciones') ? undefined : 6}
      />
    </div>
  );
}
