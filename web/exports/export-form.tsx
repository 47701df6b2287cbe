import '@mantine/core/styles/Radio.css';
import '@mantine/core/styles/InlineInput.css';
import '@mantine/core/styles/Paper.css';
import { Button, Checkbox, Group, Paper, Radio, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useState } from 'react';
import { createExport } from '../../contract/exports/exports.ts';
import { CONJUNTOS, type Conjunto, FORMATOS } from '../../contract/exports/fields.ts';
import type { BodyIn } from '../../contract/kit/endpoint.ts';
import { NO_FILTERS } from '../pedidos/table/query.ts';
import { useSession } from '../session/session.ts';
import { DateRange } from '../ui/form/date-range.tsx';
import { useSearchState } from '../ui/list/search-state.ts';
import { operationOf } from '../ui/page/operation.ts';
import { toast } from '../ui/page/toast.tsx';

const LABEL: Record<Conjunto, string> = {
  pedidos: 'Pedidos',
  lineas: 'Líneas de los pedidos',
  cobros: 'Cobros al entregar',
  caja: 'Caja',
  revendedores: 'Revendedores',
  transportistas: 'Transportistas',
};
/** Data sets offered only to shops that collect on delivery. */
const COLLECTED: readonly Conjunto[] = ['cobros', 'caja'];
const FORMAT: Record<(typeof FORMATOS)[number], string> = { xlsx: 'Excel (.xlsx)', csv: 'CSV' };
// Filters of the orders table, passed in the address by its «Exportar».
const FILTERS = { ...NO_FILTERS, ids: '' };

export function ExportForm({ busy, onSubmit }: { busy: boolean; onSubmit: (body: BodyIn<typeof createExport>) => void }) {
  const { contra_reembolso, caja } = useSession();
  const collects = contra_reembolso || caja;
  const [filters, setFilters] = useSearchState(FILTERS);
  const [chosen, setChosen] = useState<string[]>();
  const [formato, setFormato] = useState<string>('xlsx');
  const { fecha_desde, fecha_hasta, ...others } = filters;
  const narrowed = Object.values(others).some(Boolean);
  // With filters from the table, an XLSX file includes the lines by default.
  const conjuntos = chosen ?? (narrowed && formato === 'xlsx' ? ['pedidos', 'lineas'] : ['pedidos']);

  function submit() {
    if (conjuntos.length === 0) return toast.error('Selecciona al menos una opción para exportar.', { about: operationOf(createExport) });
    const filtro = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));
    onSubmit({ conjuntos: CONJUNTOS.filter((c) => conjuntos.includes(c)), formato: FORMATOS.find((f) => f === formato) ?? 'xlsx', filtro });
  }

  return (
    <Paper withBorder p="md">
      <Stack gap="md">
        <Checkbox.Group label="Qué exportar" value={conjuntos} onChange={setChosen}>
          <Group gap="lg" mt={6}>
            {CONJUNTOS.filter((conjunto) => collects || !COLLECTED.includes(conjunto)).map((conjunto) => (
              <Checkbox key={conjunto} value={conjunto} label={LABEL[conjunto]} />
            ))}
          </Group>
        </Checkbox.Group>
        <Stack gap={4} maw="22rem">
          <Text fw={600} component="span">
            Fecha de los pedidos
          </Text>
          <DateRange
            label="Fecha de los pedidos"
            value={{ from: fecha_desde, to: fecha_hasta }}
            onChange={({ from = '', to = '' }) => setFilters({ fecha_desde: from, fecha_hasta: to })}
          />
        </Stack>
        {narrowed && (
          <Group>
            <Text>
              {filters.ids ? 'Se exportan solo los pedidos elegidos en la tabla.' : 'Se exportan solo los pedidos del filtro de la tabla.'}
            </Text>
            <Button size="compact-sm" variant="default" onClick={() => setFilters({ ...FILTERS, fecha_desde, fecha_hasta })}>
              Quitar el filtro
            </Button>
          </Group>
        )}
        <Radio.Group label="Formato" value={formato} onChange={setFormato}>
          <Group gap="lg" mt={6}>
            {FORMATOS.map((f) => (
              <Radio key={f} value={f} label={FORMAT[f]} />
            ))}
          </Group>
        </Radio.Group>
        <Group gap="md">
          <Button leftSection={<IconDownload size={16} stroke={1.7} />} onClick={submit} disabled={busy}>
            {busy ? 'Exportando...' : 'Exportar'}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}
