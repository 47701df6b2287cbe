import { plural } from '../../contract/text/plural.ts';
import '@mantine/core/styles/Table.css';
import { Anchor, Button, Group, Select, Stack, Table, Text } from '@mantine/core';
import { IconCheck, IconDownload } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import {
  type Facturable,
  ficheroFacturables,
  listFacturables,
  listSinTipo,
  ponerTipos,
  resumenFacturables,
  soltarFacturables,
  tomarFacturables,
} from '../../contract/facturables/facturables.ts';
import { MOTIVO_FACTURABLE_LABEL } from '../../contract/facturables/fields.ts';
import { type NombrePlantilla, PLANTILLA_NAMES, PLANTILLAS_FACTURA, type PlantillaFactura } from '../../contract/facturables/plantillas.ts';
import { FILA_IVA_LABEL } from '../../contract/iva/fields.ts';
import type { Answer } from '../../contract/kit/endpoint.ts';
import { useProvenDownload } from '../account/use-proven-download.ts';
import { useApi, useMutate } from '../api.ts';
import { RatesTable } from '../iva/rates-table.tsx';
import { confirm } from '../ui/dialog/confirm.ts';
import { DateRange } from '../ui/form/date-range.tsx';
import { fecha, money, number } from '../ui/format/format.ts';
import { DataTable } from '../ui/list/data-table.tsx';
import { FilterSelect, useSearchState } from '../ui/list/filters.tsx';
import { Loaded, Skeletons } from '../ui/list/loaded.tsx';
import type { Column } from '../ui/list/table-props.ts';
import { PageHeader, Section } from '../ui/page/panel.tsx';
import { TIME_TO_UNDO, toast } from '../ui/page/toast.tsx';

const LIMIT = 100;
const INVALIDATES = [listFacturables, resumenFacturables, listSinTipo];

const Pedido = ({ pedido_id, numero_orden }: Facturable) => (
  <Anchor inherit underline="always" renderRoot={(props) => <Link {...props} to="/pedidos/$id" params={{ id: pedido_id }} />}>
    {numero_orden}
  </Anchor>
);
const taken = ({ tomada_at, tomada_por }: Facturable) => (tomada_at ? [fecha(tomada_at), tomada_por].filter(Boolean).join(', ') : '—');

/** Who marked a row and when, with the way back while its invoice has not left. */
function Taken(row: Facturable) {
  const release = useMutate(soltarFacturables, { failure: 'No se pudo deshacer', invalidates: INVALIDATES });
  const { tomada_at, exportada_at } = row;
  if (!tomada_at || exportada_at) return taken(row);
  const undo = async () => {
    const message = `Vuelve a estar por facturar todo lo que se marcó a la vez, el ${fecha(tomada_at)}, y no ha salido en un fichero.`;
    if (await confirm({ title: '¿Quitar la marca?', message, confirm: 'Quitar la marca' })) release.mutate({ body: { tomada_at } });
  };
  return (
    <Anchor component="button" type="button" size="sm" underline="always" onClick={() => void undo()}>
      {taken(row)}: deshacer
    </Anchor>
  );
}

const vatOf = ({ tipo, anterior }: Facturable) =>
  anterior && tipo !== 'no_sujeto' ? `${FILA_IVA_LABEL[tipo]}, regla anterior` : FILA_IVA_LABEL[tipo];

const COLUMNS: Column<Facturable & { id: string }>[] = [
  { key: 'fecha', title: 'Fecha', width: 100, render: (row) => fecha(row.fecha) },
  { key: 'numero_orden', title: 'Pedido', width: 145, render: (row) => <Pedido {...row} /> },
  { key: 'cliente', title: 'Cliente', ellipsis: true, render: ({ cliente, nif }) => (nif ? `${cliente} · ${nif}` : cliente) },
  {
    key: 'documento',
    title: 'Factura',
    width: 125,
    render: ({ documento, motivo, corrige }) => (
      <>
        {documento}
        <Text variant="detail">{[MOTIVO_FACTURABLE_LABEL[motivo], corrige && `corrige ${corrige}`].filter(Boolean).join(', ')}</Text>
      </>
    ),
  },
  { key: 'tipo', title: 'IVA', width: 100, render: vatOf },
  { key: 'base', title: 'Base', width: 95, align: 'right', render: ({ base }) => money(base) },
  { key: 'cuota', title: 'Cuota', width: 85, align: 'right', render: ({ cuota }) => money(cuota) },
  { key: 'total', title: 'Total', width: 95, align: 'right', render: ({ total }) => money(total) },
];
const PAGO: (typeof COLUMNS)[number] = {
  key: 'metodo_pago',
  title: 'Pago',
  width: 100,
  ellipsis: true,
  render: (row) => row.metodo_pago ?? '—',
};
const TOMADA: (typeof COLUMNS)[number] = { key: 'tomada', title: 'Facturado', width: 170, render: (row) => <Taken {...row} /> };

type Filter = { desde?: string; hasta?: string; pendientes?: 'si' };

/** «Para facturar»: rows for the shop's own invoicing program. */
export default function FacturablesPage() {
  const [{ desde, hasta, ver, cursor }, set] = useSearchState({ desde: '', hasta: '', ver: '', cursor: '' });
  const filter: Filter = { ...(desde && { desde }), ...(hasta && { hasta }), ...(ver !== 'todo' && { pendientes: 'si' as const }) };
  const sums = useApi(resumenFacturables, { query: filter }, { keepPrevious: true });
  const list = useApi(listFacturables, { query: { ...filter, limite: LIMIT, ...(cursor && { cursor }) } }, { keepPrevious: true });
  const rows = list.data?.data.map((row) => ({ ...row, id: String(row.numero) }));
  return (
    <>
      <PageHeader
        title="Para facturar"
        subtitle="Lo entregado, por tipo de IVA, para tu programa de facturación. Enruta no emite facturas."
      />
      <Loaded query={sums} failed="No se pudieron cargar los totales" waiting={<Skeletons heights={[64, 96, 96]} />}>
        {(found) => (
          <Stack gap="md">
            {!found.encendido && <Text>El IVA está apagado en Configuración: no se prepara nada nuevo.</Text>}
            <Group gap="sm" align="end">
              <DateRange
                label="Fechas"
                value={{ from: desde, to: hasta }}
                onChange={({ from = '', to = '' }) => set({ desde: from, hasta: to, cursor: '' })}
              />
              <FilterSelect
                label="Ver"
                data={[
                  { value: '', label: 'Por facturar' },
                  { value: 'todo', label: 'Todo' },
                ]}
                value={ver === 'todo' ? ver : ''}
                onChange={(value) => set({ ver: value, cursor: '' })}
              />
            </Group>
            {found.data.length > 0 && <Sums sums={found} filter={filter} />}
            <WithoutRate orders={found.sin_tipo} />
            <DataTable
              label="Para facturar"
              rows={rows}
              busy={list.isPlaceholderData}
              columns={[...COLUMNS, ver === 'todo' ? TOMADA : PAGO]}
              cardsUnder={1100}
              card={(row) => (
                <>
                  <Group justify="space-between" wrap="nowrap">
                    <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
                      <Pedido {...row} /> · {row.cliente}
                    </Text>
                    <Text variant="title">{money(row.total)}</Text>
                  </Group>
                  <Text c="dimmed">
                    {fecha(row.fecha)} · {MOTIVO_FACTURABLE_LABEL[row.motivo]} · {vatOf(row)} · base {money(row.base)}, cuota{' '}
                    {money(row.cuota)}
                  </Text>
                  {row.tomada_at && (
                    <Text>
                      Facturado: <Taken {...row} />
                    </Text>
                  )}
                </>
              )}
              empty={{
                title: ver === 'todo' ? 'No hay nada en estas fechas' : 'No queda nada por facturar',
                hint: 'Aquí aparece cada pedido cuando se entrega, y lo que se devuelve en negativo.',
              }}
              error={{ title: 'No se pudo cargar lo que hay para facturar', cause: list.error, onRetry: () => void list.refetch() }}
            />
            <Group gap="md" justify="center">
              {cursor && (
                <Button variant="default" onClick={() => set({ cursor: '' })}>
                  Desde el principio
                </Button>
              )}
              {list.data?.hay_mas && (
                <Button variant="default" onClick={() => set({ cursor: list.data?.cursor ?? '' })}>
                  Siguientes
                </Button>
              )}
            </Group>
          </Stack>
        )}
      </Loaded>
    </>
  );
}

/** Orders that have a line without a VAT rate, and one list of the products that lack one. */
function WithoutRate({ orders }: { orders: number }) {
  const lacking = useApi(listSinTipo, {}, { enabled: orders > 0 });
  const rows = lacking.data?.data ?? [];
  const fill = useMutate(ponerTipos, { failure: 'No se pudo poner el tipo', invalidates: INVALIDATES });
  if (orders === 0) return null;
  return (
    <Section title={`Falta el tipo de ${plural(rows.length, 'producto')}`}>
      <Group gap="sm" role="status" mb="sm">
        <Text>
          {plural(orders, 'pedido tiene líneas sin tipo de IVA.', 'pedidos tienen líneas sin tipo de IVA.')} No se marcan ni salen en el
          fichero de un programa hasta que lo tengan.
        </Text>
        <Button size="xs" variant="light" loading={fill.isPending} onClick={() => fill.mutate({ body: {} })}>
          Poner el tipo del producto
        </Button>
      </Group>
      {rows.length > 0 && <RatesTable rows={rows} />}
    </Section>
  );
}

const amounts = (of: (part: 'base' | 'cuota' | 'total') => number) =>
  (['base', 'cuota', 'total'] as const).map((part) => (
    <Table.Td key={part} ta="right">
      {money(of(part))}
    </Table.Td>
  ));

/** Sums by rate, the file of the period, and «Marcar como facturado». */
function Sums({ sums, filter }: { sums: Answer<typeof resumenFacturables>; filter: Filter }) {
  const [plantilla, setPlantilla] = useState<string>('enruta');
  const { download, isPending } = useProvenDownload();
  const { pendientes: _, ...periodo } = filter;
  const release = useMutate(soltarFacturables, { failure: 'No se pudo deshacer', invalidates: INVALIDATES });
  const take = useMutate(tomarFacturables, {
    failure: 'No se pudo marcar como facturado',
    invalidates: INVALIDATES,
    success: false,
    onSuccess: ({ message, tomada_at }) =>
      toast.success(message, {
        autoClose: TIME_TO_UNDO,
        ...(tomada_at && { action: { label: 'Deshacer', undo: true, onClick: () => release.mutate({ body: { tomada_at } }) } }),
      }),
  });
  const mark = async () => {
    const message = `${plural(sums.por_tomar, 'fila')}, ${money(sum('total'))}. Márcalo cuando las facturas estén hechas en tu programa. Se puede deshacer hasta que salgan en un fichero.`;
    if (await confirm({ title: '¿Marcar como facturado?', message, confirm: 'Marcar como facturado' }))
      take.mutate({ body: { hasta: sums.cursor, ...(Object.keys(periodo).length > 0 && { periodo }) } });
  };
  const { nota } = PLANTILLAS_FACTURA[plantilla as NombrePlantilla] as PlantillaFactura;
  const sum = (of: 'base' | 'cuota' | 'total') => sums.data.reduce((all, row) => all + Math.round(row[of] * 100), 0) / 100;
  const href = (formato: string) => `${ficheroFacturables.path}?${new URLSearchParams({ ...filter, formato, plantilla })}`;
  return (
    <Section title="Totales por tipo">
      <Table aria-label="Totales por tipo" maw="40rem" mb="sm">
        <Table.Thead>
          <Table.Tr>
            {['IVA', 'Base', 'Cuota', 'Total'].map((title, at) => (
              <Table.Th key={title} ta={at ? 'right' : 'left'}>
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sums.data.map((row) => (
            <Table.Tr key={row.tipo}>
              <Table.Td>{FILA_IVA_LABEL[row.tipo]}</Table.Td>
              {amounts((part) => row[part])}
            </Table.Tr>
          ))}
          <Table.Tr fw={600}>
            <Table.Th scope="row">Total</Table.Th>
            {amounts(sum)}
          </Table.Tr>
        </Table.Tbody>
      </Table>
      <Group gap="sm" align="end">
        <Select
          label="Columnas del fichero"
          data={PLANTILLA_NAMES.map((value) => {
            const { nombre, verificada } = PLANTILLAS_FACTURA[value];
            return { value, label: verificada ? nombre : `${nombre} (sin verificar)` };
          })}
          value={plantilla}
          onChange={(value) => setPlantilla(value ?? 'enruta')}
          w="18rem"
        />
        {(['xlsx', 'csv'] as const).map((formato) => (
          <Button
            key={formato}
            variant="default"
            loading={isPending}
            onClick={() => void download(href(formato))}
            leftSection={<IconDownload size={16} stroke={1.8} aria-hidden />}
          >
            {formato === 'xlsx' ? 'Descargar XLSX' : 'Descargar CSV'}
          </Button>
        ))}
        {sums.por_tomar > 0 && (
          <Button
            leftSection={<IconCheck size={16} stroke={1.8} aria-hidden />}
            loading={take.isPending}
            disabled={sums.sin_tipo_por_tomar > 0}
            onClick={() => void mark()}
          >
            Marcar como facturado ({number(sums.por_tomar)})
          </Button>
        )}
      </Group>
      <Text c="dimmed" mt="xs" maw="48rem">
        {nota ? `${nota} ` : ''}Lo que descargas cuenta como exportado: saldrá siempre igual, y lo que cambie después saldrá como
        rectificativa.
      </Text>
    </Section>
  );
}
