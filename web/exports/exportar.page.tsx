import { Button, Checkbox, Group, Paper, Progress, Radio, Stack, Text, Title } from '@mantine/core';
import { useRef, useState } from 'react';
import { cancelExport, createExport, downloadExport, type ExportRecord, listExports } from '../../contract/exports/exports.ts';
import type { BodyIn } from '../../contract/kit/endpoint.ts';
import { useApi, useMutate } from '../api.ts';
import { fechaHora, number } from '../ui/format/format.ts';
import { writeName } from '../ui/page/operation.ts';
import { PageHeader } from '../ui/page/panel.tsx';
import { toast } from '../ui/page/toast.tsx';
import { useFinished } from '../ui/page/use-finished.ts';
import '@mantine/core/styles/Radio.css';
import '@mantine/core/styles/InlineInput.css';
import '@mantine/core/styles/Paper.css';
import { IconDownload, IconX } from '@tabler/icons-react';
import { CONJUNTOS, type Conjunto, FORMATOS } from '../../contract/exports/fields.ts';
import { NO_FILTERS } from '../pedidos/table/query.ts';
import { useSession } from '../session/session.ts';
import { DateRange } from '../ui/form/date-range.tsx';
import { useSearchState } from '../ui/list/filters.tsx';
import '@mantine/core/styles/Progress.css';
import { useProvenDownload } from '../account/use-proven-download.ts';
import { sizeText } from '../ui/format/size.ts';
import { EmptyState, type Query, Records } from '../ui/list/loaded.tsx';

const FORMAT_LABEL = { xlsx: 'Excel', csv: 'CSV' };

/** «Exportar Datos» (specification, section 2.18): the server exports everything that matches. */
export default function ExportPage() {
  const recent = useApi(listExports, {}, { refetchInterval: 15_000 });
  const running = recent.data?.data.find((record) => record.estado === 'en_curso');

  const { download } = useExportDownload();
  // Auto-downloads only the exports started in this tab.
  const mine = useRef(new Set<string>());
  const begun = useFinished(recent.data?.data, (record) => {
    if (record.estado === 'listo') {
      if (mine.current.delete(record.id)) void download(record);
      toast.success(`Se han exportado ${number(record.hechas)} registros en formato ${FORMAT_LABEL[record.formato]}`, {
        title: 'Exportación completada',
        action: { label: 'Descargar', onClick: () => download(record) },
        autoClose: 10_000,
      });
    } else if (record.estado === 'error')
      toast.error(record.error ?? 'No se pudo hacer el archivo. Inténtalo de nuevo.', {
        title: 'Error en exportación',
        about: writeName(createExport),
      });
  });
  // Keeps the button disabled between the click and the refetch of the list: the server refuses a second export.
  const [asked, setAsked] = useState(false);
  const start = useMutate(createExport, {
    success: false,
    failure: 'Error en exportación',
    invalidates: [],
    onSuccess: ({ data }) => {
      mine.current.add(data.id);
      begun(data.id);
    },
  });
  const onSubmit = (body: BodyIn<typeof createExport>) => {
    setAsked(true);
    // A second click starts nothing, and gets the first click's promise.
    void start
      .mutateAsync({ body })
      .then(() => recent.refetch())
      .catch(() => undefined)
      .finally(() => setAsked(false));
  };

  return (
    <>
      <PageHeader title="Exportar Datos" subtitle="Todo lo que coincide, no solo lo que se ve en pantalla" />
      <Stack gap="lg" maw="46rem">
        <ExportForm busy={asked || running !== undefined} onSubmit={onSubmit} />
        <RecentExports query={recent} />
      </Stack>
    </>
  );
}

const LABEL: Record<Conjunto, string> = {
  pedidos: 'Pedidos',
  lineas: 'Líneas de los pedidos',
  cobros: 'Cobros al entregar',
  caja: 'Caja',
  empresas: 'Cobros de empresas',
  revendedores: 'Revendedores',
  transportistas: 'Transportistas',
};
/** Data sets offered only to shops that collect on delivery. */
const COLLECTED: readonly Conjunto[] = ['cobros', 'caja', 'empresas'];
const FORMAT: Record<(typeof FORMATOS)[number], string> = { xlsx: 'Excel (.xlsx)', csv: 'CSV' };
// Filters of the orders table, passed in the address by its «Exportar».
const FILTERS = { ...NO_FILTERS, ids: '' };

function ExportForm({ busy, onSubmit }: { busy: boolean; onSubmit: (body: BodyIn<typeof createExport>) => void }) {
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
    if (conjuntos.length === 0) return toast.error('Selecciona al menos una opción para exportar.', { about: writeName(createExport) });
    const filtro = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ''));
    onSubmit({ conjuntos: CONJUNTOS.filter((c) => conjuntos.includes(c)), formato: FORMATOS.find((f) => f === formato) ?? 'xlsx', filtro });
  }

  return (
    <Paper p="md">
      <Stack gap="md">
        <Checkbox.Group label="Qué exportar" value={conjuntos} onChange={setChosen}>
          <Group gap="lg" mt={8}>
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
          <Group gap="lg" mt={8}>
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

const ESTADO = { listo: '', en_curso: 'En curso', error: 'No se pudo hacer', cancelado: 'Cancelada' };

/** Downloads an export's file, which demands the password. */
function useExportDownload() {
  const { download, isPending } = useProvenDownload();
  return { download: ({ id, name }: ExportRecord) => download(downloadExport.path.replace(':id', id), name), isPending };
}

const RecentExports = ({ query }: { query: Query<{ data: ExportRecord[] }> }) => (
  <section aria-labelledby="recent-exports">
    <Title order={2} size="h4" id="recent-exports" mb="xs">
      Exportaciones recientes
    </Title>
    <Records
      query={query}
      failed="No se pudieron cargar las exportaciones"
      empty={<EmptyState title="Todavía no has exportado nada" hint="Aquí quedan las cinco últimas, para volver a descargarlas." />}
      row={(record, i) => <Line key={record.id} record={record} first={i === 0} />}
    />
  </section>
);

function Line({ record, first }: { record: ExportRecord; first: boolean }) {
  const cancel = useMutate(cancelExport, { invalidates: [listExports] });
  const { download, isPending } = useExportDownload();
  const { id, name, estado, hechas, total, size, error, created_at } = record;
  const percent = total ? Math.round((100 * hechas) / total) : 0;
  return (
    <li style={{ padding: '10px 16px', borderTop: first ? 'none' : '1px solid var(--line)' }}>
      <Group justify="space-between" gap="sm" wrap="nowrap">
        <div style={{ minWidth: 0 }}>
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          <Text variant="detail">
            {[fechaHora(created_at), size === null ? '' : sizeText(size), ESTADO[estado], error].filter(Boolean).join(' · ')}
          </Text>
        </div>
        {estado === 'listo' && (
          <Button
            size="xs"
            variant="default"
            flex="none"
            leftSection={<IconDownload size={14} />}
            aria-label={`Descargar ${name}`}
            onClick={() => download(record)}
            disabled={isPending}
          >
            Descargar
          </Button>
        )}
        {estado === 'en_curso' && (
          <Button
            size="xs"
            variant="default"
            flex="none"
            leftSection={<IconX size={14} />}
            onClick={() => cancel.mutate({ params: { id } })}
            disabled={cancel.isPending}
          >
            Cancelar
          </Button>
        )}
      </Group>
      {estado === 'en_curso' && (
        <Group mt={8} wrap="nowrap">
          <Progress value={percent} flex={1} aria-label={`Progreso de ${name}`} />
          <Text size="xs" w="9rem" ta="right">
            {total ? `${number(hechas)} de ${number(total)}` : 'Preparando…'}
          </Text>
        </Group>
      )}
    </li>
  );
}
