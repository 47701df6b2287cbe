import { Button, Group, Stack, Text } from '@mantine/core';
import { number } from '../../ui/format/format.ts';
import { Panel } from '../../ui/page/panel.tsx';
import { type LeftOut, unusedOf } from './left-out.ts';
import type { useImport } from './use-import.ts';

type Props = { of: ReturnType<typeof useImport> };

/** «Order Status» dice Cancelled (2) y Refunded (1) */
function reasonsOf(out: readonly LeftOut[]): string {
  const byColumn = Map.groupBy(out, ({ title }) => title);
  return [...byColumn]
    .map(([title, rows]) => {
      const words = [...Map.groupBy(rows, ({ text }) => text)].map(
        ([text, these]) => `${text} (filas ${these.map(({ row }) => row.n).join(', ')})`,
      );
      return `«${title}» dice ${words.join(', ')}`;
    })
    .join(' · ');
}

/** What the sheet says and the orders will not hold. */
export function LeftOutPanel({ of: { state, takeIn } }: Props) {
  if (!state) return null;
  const { fuera = [], titles, columns, rows } = state;
  const unused = unusedOf(titles, columns, rows);
  if (fuera.length === 0 && unused.length === 0) return null;
  const names = unused.map((title) => `«${title}»`).join(', ');
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
            <Button size="xs" variant="default" onClick={takeIn}>
              {fuera.length === 1 ? 'Incluirla' : 'Incluirlas'}
            </Button>
          </Group>
        )}
        {unused.length > 0 && (
          <Text size="sm">{unused.length === 1 ? `La columna ${names} no se usa.` : `No se usan las columnas ${names}.`}</Text>
        )}
      </Stack>
    </Panel>
  );
}
