import { Text } from '@mantine/core';
import { FILA_IVA_LABEL, SIN_TIPO } from '../../contract/iva/fields.ts';
import type { Pedido } from '../../contract/pedidos/pedidos.ts';
import { money } from '../ui/format/format.ts';

type Row = NonNullable<Pedido['iva']>[number];

/** «Base 21,00 € · IVA 10 % 2,10 €»; a row without VAT says why. */
const wordsOf = ({ tipo, base, cuota }: Row): string =>
  cuota > 0 ? `Base ${money(base)} · IVA ${FILA_IVA_LABEL[tipo]} ${money(cuota)}` : `${FILA_IVA_LABEL[tipo]}: ${money(base)}`;

/** VAT of an open order, in a quiet line; nothing in a shop without VAT. */
export function IvaFact({ pedido, className }: { pedido: Pedido; className?: string | undefined }) {
  const { iva = [], lineas = [] } = pedido;
  const without = lineas.filter((line) => line.iva === null).length;
  const known = iva.filter(({ tipo }) => tipo !== SIN_TIPO);
  if (iva.length === 0) return null;
  return (
    <Text size="sm" c="dimmed" className={className}>
      {known.map(wordsOf).join(' — ')}
      {without > 0 && (
        <Text component="span" size="sm" display="block" c="light-dark(var(--mantine-color-orange-9), var(--mantine-color-orange-4))">
          {without === 1 ? '1 línea sin tipo de IVA' : `${without} líneas sin tipo de IVA`}
        </Text>
      )}
    </Text>
  );
}
