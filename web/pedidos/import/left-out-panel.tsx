import { Button, Group, Stack, Text } from '@mantine/core';
import { number } from '../../ui/format/format.ts';
import { Panel } from '../../ui/page/panel.tsx';
import { type LeftOut, unusedOf } from './left-out.ts';
import { unsaidPayments } from './payment.ts';
import type { Row } from './row.ts';
import type { useImport } from './use-import.ts';

type Props = { of: ReturnType<typeof useImport> };

const MOST = 8;
const placesOf = (rows: readonly Row[]) => {
  const all = rows.map(({ n }) => n);
  const named = all.slice(0, MOST).join(', ');
  return `${rows.length === 1 ? 'fila' : 'filas'} ${named}${all.length > MOST ? ` y ${number(all.length - MOST)} más` : ''}`;
};
const WORDS = { state: '', sum: 'sumas', note: 'notas sin datos de un pedido', titles: 'títulos repetidos' };

/** Returns text such as «Order Status» dice Cancelled (filas 2, 5) · sumas: Total (fila 9). */
function reasonsOf(out: readonly LeftOut[]): string {
  const byColumn = Map.groupBy(out, ({ title, is = 'state' }) => (is === 'state' ? `«${title}» dice` : `${WORDS[is]}:`));
  return [...byColumn]
    .map(([reason, rows]) => {
      const words = [...Map.groupBy(rows, ({ text }) => text)].map(
        ([text, these]) => `${text.length > 40 ? `${text.slice(0, 40)}…` : text} (${placesOf(these.map(({ row }) => row))})`,
      );
      return `${reason} ${words.slice(0, MOST).join(', ')}${words.length > MOST ? '…' : ''}`;
    })
    .join(' · ');
}

/** Quotes up to eight headings and counts the rest, such as «A», …, «H» y 3 más. */
const listOf = (titles: readonly string[]) => {
  const named = titles.slice(0, MOST).map((title) => `«${title}»`);
  return `${named.join(', ')}${titles.length > MOST ? ` y ${number(titles.length - MOST)} más` : ''}`;
};

/** Lists the content of the sheet that is not imported. */
export function LeftOutPanel({ of: { state, takeIn } }: Props) {
  if (!state) return null;
  const { fuera = [], titles, columns, rows } = state;
  const unused = unusedOf(titles, columns, rows);
  const unpaid = unsaidPayments(rows, columns);
  if (fuera.length === 0 && unused.length === 0 && unpaid.length === 0) return null;
  return (
    <Panel title="No entra en los pedidos">
      <Stack gap="xs">
        {fuera.length > 0 && (
          <Group justify="space-between" gap="xs" wrap="nowrap" align="flex-start">
            <div>
              <Text fw={500}>{fuera.length === 1 ? '1 fila queda fuera' : `${number(fuera.length)} filas quedan fuera`}</Text>
              <Text size="sm" c="dimmed">
                {reasonsOf(fuera)}
              </Text>
            </div>
            <Button size="xs" variant="default" onClick={takeIn} style={{ flexShrink: 0 }}>
              {fuera.length === 1 ? 'Incluirla' : 'Incluirlas'}
            </Button>
          </Group>
        )}
        {unpaid.length > 0 && (
          <Text size="sm">
            Dicen cómo se paga, pero no que esté pagado: se crean sin pago ({placesOf(unpaid)}). Escríbelo en «Ya pagado con» si lo está.
          </Text>
        )}
        {unused.length > 0 && (
          <Text size="sm">
            {unused.length === 1 ? `La columna ${listOf(unused)} no se usa.` : `No se usan las columnas ${listOf(unused)}.`}
          </Text>
        )}
      </Stack>
    </Panel>
  );
}
