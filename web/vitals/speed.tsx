import { Text, Title } from '@mantine/core';
import { ROLE_LABEL } from '../../contract/policy/policy.ts';
import { DEVICES } from '../../contract/vitals/fields.ts';
import { listVitals, type ScreenSpeed } from '../../contract/vitals/vitals.ts';
import { findScreen } from '../access.ts';
import { useApi } from '../api.ts';
import { number, showNumber } from '../ui/format/format.ts';
import { DataTable } from '../ui/list/data-table.tsx';
import type { Column } from '../ui/list/table-props.ts';

type Row = ScreenSpeed & { id: string };
const seconds = (ms: number | null) => (ms === null ? '—' : `${showNumber(ms / 1000, 2)} s`);
const time = (key: 'filas' | 'lcp' | 'inp', title: string): Column<Row> => ({
  key,
  at: 'labelled',
  title,
  align: 'right',
  render: ({ [key]: ms }) => seconds(ms),
});

const COLUMNS: Column<Row>[] = [
  { key: 'pantalla', at: 'title', title: 'Pantalla', render: ({ pantalla }) => findScreen(pantalla)?.title ?? pantalla },
  { key: 'rol', at: 'line', title: 'Quién', render: ({ rol, dispositivo }) => `${ROLE_LABEL[rol]} · ${DEVICES[dispositivo]}` },
  { key: 'medidas', at: 'labelled', title: 'Veces', align: 'right', render: ({ medidas }) => number(medidas) },
  time('filas', 'Lista a la vista'),
  time('lcp', 'Pantalla dibujada'),
  time('inp', 'Responde en'),
  { key: 'cls', at: 'labelled', title: 'Saltos', align: 'right', render: ({ cls }) => (cls === null ? '—' : showNumber(cls / 1000, 2)) },
];

/** Times of 28 days that three quarters of the visits stay under, by screen; nothing before the first ones are counted. */
export function ScreenSpeeds() {
  const rows = useApi(listVitals, {}).data?.data.map((row) => ({ ...row, id: `${row.pantalla} ${row.rol} ${row.dispositivo}` }));
  if (!rows?.length) return null;
  return (
    <section>
      <Title order={3} size="h5">
        Lo que tardan las pantallas
      </Title>
      <Text variant="detail" mb="sm">
        Tres de cada cuatro veces, en los últimos 28 días, menos que esto
      </Text>
      <DataTable label="Lo que tardan las pantallas" rows={rows} columns={COLUMNS} dense empty={{ title: '' }} />
    </section>
  );
}
