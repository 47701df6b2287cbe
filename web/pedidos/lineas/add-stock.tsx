import { Alert, Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { ajustarStock, type Pack } from '../../../contract/products/products.ts';
import { useMutate } from '../../api.ts';
import { NumberField } from '../../ui/form/form-number.tsx';
import { parseNumber, showNumber } from '../../ui/format/format.ts';

/** «Apuntar existencias» of a pack that is `short` of an order, without leaving its form. */
export function AddStock({ pack: { product_id, pack_quantity, quedan, product_name }, short }: { pack: Pack; short: number }) {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState('');
  const units = typed || showNumber(short * pack_quantity);
  const add = useMutate(ajustarStock, {
    success: 'Existencias apuntadas',
    failure: 'No se pudieron apuntar las existencias',
    onError: ({ errors }) => setProblem(errors.unidades?.[0] ?? ''),
  });
  const save = () =>
    add.mutate({ params: { id: product_id }, body: { unidades: parseNumber(units), nota: 'Apuntadas al hacer un pedido' } });
  return (
    <Alert color="orange" role="note" p="xs" style={{ gridColumn: '1 / -1' }}>
      <Text mb={4}>{quedan === 0 ? 'Agotado.' : 'No hay tantos.'} Si los tienes, apúntalos y sigue con el pedido.</Text>
      <Group align="flex-end" gap="sm">
        <NumberField
          label={`Unidades de ${product_name} que entran`}
          value={units}
          onChange={(next) => {
            setTyped(next);
            setProblem('');
          }}
          error={problem}
          min={1}
          w="12rem"
        />
        <Button disabled={add.isPending} onClick={save}>
          Apuntar existencias
        </Button>
      </Group>
    </Alert>
  );
}
