import { Combobox, Text, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { type Cliente, listClientes } from '../../../contract/clientes/clientes.ts';
import { can } from '../../../contract/policy/policy.ts';
import { telephoneWords } from '../../../contract/text/telephone.ts';
import { useApi } from '../../api.ts';
import { useSession } from '../../session/session.ts';
import { plain, sortedBy } from '../../ui/list/local-list.ts';
import type { FinderProps } from '../cliente/cliente-fields.tsx';

const DEBOUNCE = 250;
/** Minimum characters to search; fewer match too many customers. */
const LEAST = 3;
/** Number of matches to request: more than shown, so that names that begin with the text are included. */
const ASKED = 24;
const SHOWN = 8;
/** Place of the text in the name, at the beginning of a word; beyond any name if only another field has the text. */
const placeIn = ({ cliente_nombre }: Cliente, text: string) => ` ${plain(cliente_nombre)}`.indexOf(` ${plain(text)}`) >>> 0;

/** Customer field with suggestions of known customers; a plain text field if the server does not answer. */
export function KnownCliente({ input, onPick }: FinderProps) {
  const namesSeller = can(useSession(), 'pedido:create-free');
  // Only typing searches: a restored draft or a chosen customer must not open the list.
  const [typed, setTyped] = useState('');
  const [asked] = useDebouncedValue(typed, DEBOUNCE);
  const { data } = useApi(
    listClientes,
    { query: { search: asked, per_page: ASKED } },
    { enabled: asked.length >= LEAST, keepPrevious: true, staleTime: 60_000 },
  );
  const matching = (typed.length >= LEAST && data?.data) || [];
  const found = sortedBy(matching, (cliente) => placeIn(cliente, typed)).slice(0, SHOWN);
  const [open, setOpen] = useState(false);
  const combobox = useCombobox({ opened: open && found.length > 0, onOpenedChange: setOpen });

  function pick(cliente: Cliente | undefined) {
    setTyped('');
    setOpen(false);
    if (cliente) onPick(cliente);
  }

  return (
    <Combobox store={combobox} width="max-content" position="bottom-start" onOptionSubmit={(at) => pick(found[Number(at)])}>
      <Combobox.Target withExpandedAttribute>
        <TextInput
          {...input}
          aria-autocomplete="list"
          onChange={(event) => {
            input.onChange?.(event);
            setTyped(event.currentTarget.value.trim().slice(0, 100));
            setOpen(true);
            combobox.resetSelectedOption();
          }}
          onBlur={(event) => {
            input.onBlur?.(event);
            setOpen(false);
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown maw="calc(100vw - 2rem)">
        <Combobox.Options aria-label="Clientes conocidos" mah={320} style={{ overflowY: 'auto' }}>
          {found.map((cliente, at) => (
            <Combobox.Option key={cliente.id} value={String(at)}>
              <Text fw={600}>
                {cliente.cliente_nombre}
                {cliente.bloqueado_motivo && ' (bloqueado)'}
                {namesSeller && (
                  <Text span size="xs" fw={400}>
                    {' '}
                    {cliente.revendedor_id ? `de ${cliente.revendedor_nombre ?? 'un revendedor'}` : 'de la tienda'}
                  </Text>
                )}
              </Text>
              <Text size="xs">
                {[telephoneWords(cliente.cliente_telefono), cliente.cliente_direccion, cliente.cliente_ciudad].filter(Boolean).join(' · ')}
              </Text>
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
