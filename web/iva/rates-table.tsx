import { plural } from '../../contract/text/plural.ts';
import '@mantine/core/styles/Table.css';
import { Button, Group, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { listFacturables, listSinTipo, ponerTipos, resumenFacturables } from '../../contract/facturables/facturables.ts';
import { IVA, type TipoIva } from '../../contract/iva/fields.ts';
import { listProducts } from '../../contract/products/products.ts';
import { useMutate } from '../api.ts';
import { IvaSelect } from './iva-select.tsx';

type Row = { product_id: string | null; producto: string; iva?: TipoIva | null | undefined; pedidos?: number };

const INVALIDATES = [listFacturables, resumenFacturables, listSinTipo, listProducts];

/** One list of products, and of free lines, with the VAT rate of each; saved together. Orders already made take it where they have none. */
export function RatesTable({ rows }: { rows: readonly Row[] }) {
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({});
  const save = useMutate(ponerTipos, {
    failure: 'No se pudieron guardar los tipos',
    invalidates: INVALIDATES,
    onSuccess: () => setChosen({}),
  });
  const keyOf = ({ product_id, producto }: Row) => product_id ?? producto;
  const changed = rows.flatMap((row) => {
    const iva = chosen[keyOf(row)];
    return iva && iva !== row.iva ? [{ product_id: row.product_id, producto: row.producto, iva: iva as TipoIva }] : [];
  });
  return (
    <Stack gap="xs" maw="40rem">
      {rows.length > 1 && (
        <Group gap="xs">
          {IVA.map(({ tipo, label }) => (
            <Button
              key={tipo}
              size="xs"
              variant="default"
              onClick={() => setChosen(Object.fromEntries(rows.map((row) => [keyOf(row), tipo])))}
            >
              {tipo === 'exento' ? 'Todos exentos' : `Todos al ${label}`}
            </Button>
          ))}
        </Group>
      )}
      <Table aria-label="Tipos de IVA" verticalSpacing={4} horizontalSpacing={0}>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={keyOf(row)}>
              <Table.Td>
                {row.producto}
                {row.pedidos && <Text variant="detail">{`En ${plural(row.pedidos, 'pedido')}`}</Text>}
              </Table.Td>
              <Table.Td w="8rem">
                <IvaSelect
                  label=""
                  aria-label={row.producto}
                  value={chosen[keyOf(row)] ?? row.iva ?? ''}
                  onChange={(iva) => setChosen({ ...chosen, [keyOf(row)]: iva })}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Group gap="sm">
        <Button disabled={changed.length === 0} loading={save.isPending} onClick={() => save.mutate({ body: { tipos: changed } })}>
          {changed.length ? `Guardar ${plural(changed.length, 'tipo')}` : 'Guardar los tipos'}
        </Button>
        <Text c="dimmed">Los pedidos que no tienen tipo toman este; los demás conservan el suyo.</Text>
      </Group>
    </Stack>
  );
}
