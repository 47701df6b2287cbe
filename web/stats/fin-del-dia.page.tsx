import { Anchor, Box, Button, Group, Skeleton, Stack, Table, Text } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Answer } from '../../contract/kit/endpoint.ts';
import { DIA_FILTER } from '../../contract/pedidos/day.ts';
import { finDelDiaStats } from '../../contract/stats/stats.ts';
import { plural } from '../../contract/text/plural.ts';
import { useApi } from '../api.ts';
import { fecha, fechaCercana, money, number } from '../ui/format/format.ts';
import { Loaded } from '../ui/list/loaded.tsx';
import { PageHeader, Panel } from '../ui/page/panel.tsx';
import { usePhone } from '../ui/page/use-phone.ts';
import '@mantine/core/styles/Table.css';
import classes from '../pedidos/print/sheet.module.css';
import { leftWords } from './today/lines.tsx';

type Data = Answer<typeof finDelDiaStats>['data'];

/** How the day ended, on one page to look at and to print. */
export default function FinDelDiaPage() {
  const query = useApi(finDelDiaStats, {}, { refetchInterval: 60_000 });
  const hoy = query.data?.data.hoy;
  return (
    <div className={`${classes.page} ${classes.titled}`}>
      <PageHeader
        title="Fin del día"
        subtitle={hoy && fecha(hoy)}
        actions={
          <Button className={classes.screen} leftSection={<IconPrinter size={16} aria-hidden />} onClick={() => window.print()}>
            Imprimir
          </Button>
        }
      />
      <Loaded query={query} failed="No se pudo cargar el fin del día" waiting={<Skeleton h={400} />}>
        {({ data }) => <Day data={data} />}
      </Loaded>
    </div>
  );
}

/** A part of the page; says `none` without rows. */
function Part({
  title,
  head,
  figures = [],
  rows,
  none,
}: {
  title: string;
  head: readonly string[];
  /** Columns of `head` that are aligned to the right. */
  figures?: readonly string[];
  rows: readonly (readonly ReactNode[])[];
  none: string;
}) {
  const align = (column = '') => (figures.includes(column) ? 'right' : undefined);
  const phone = usePhone();
  return (
    <Panel title={title}>
      {rows.length === 0 ? (
        <Text c="dimmed">{none}</Text>
      ) : phone ? (
        <Stack component="ul" gap="sm" aria-label={title}>
          {rows.map(([first, ...cells], i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a report, drawn once
            <Box key={i} component="li">
              <Text fw={600}>{first}</Text>
              <Group style={{ columnGap: '1rem', rowGap: 0 }}>
                {cells.map((cell, n) => (
                  <Text key={head[n + 1]}>
                    <Text span c="dimmed">
                      {head[n + 1]}:
                    </Text>{' '}
                    {cell}
                  </Text>
                ))}
              </Group>
            </Box>
          ))}
        </Stack>
      ) : (
        <Table.ScrollContainer minWidth={`${head.length * 5.5}rem`} type="native" tabIndex={0} role="group" aria-label={`Tabla ${title}`}>
          <Table aria-label={title} fz="sm" layout="fixed">
            <Table.Thead>
              <Table.Tr>
                {head.map((each) => (
                  <Table.Th key={each} ta={align(each)}>
                    {each}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((cells, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows of a report, drawn once
                <Table.Tr key={i}>
                  {cells.map((cell, n) => (
                    <Table.Td key={head[n]} ta={align(head[n])} style={{ overflowWrap: 'anywhere' }}>
                      {cell}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Panel>
  );
}

const cajaWords = ({ entregada, confirmada }: Data['cajas'][number]) =>
  confirmada ? 'Recibida' : entregada ? 'Por recibir' : 'La lleva encima';

const OUT = ['Salieron', 'Entregados', 'Siguen en la calle', 'No entregados', 'Cobrado'];

function Day({ data }: { data: Data }) {
  const { repartos, noEntregados, cobros, cajas, empresas, devolver, manana, stock } = data;
  const failed = (id: string) => noEntregados.filter(({ transportista_id }) => (transportista_id ?? 'sin') === id).length;
  const list = (count: number, filter: Record<string, string>, transportista_id: string) =>
    count ? (
      <Anchor inherit underline="always" renderRoot={(props) => <Link {...props} to="/pedidos" search={{ ...filter, transportista_id }} />}>
        {number(count)}
      </Anchor>
    ) : (
      '—'
    );
  return (
    <Stack gap="md">
      <Part
        title="Reparto"
        none="Hoy no ha salido nada."
        head={['Quién', ...OUT]}
        figures={OUT}
        rows={repartos.map(({ transportista_id: id, nombre, calle, hecho, cobrado }) => [
          nombre,
          number(calle + hecho + failed(id)),
          list(hecho, DIA_FILTER.hecho, id),
          list(calle, DIA_FILTER.calle, id),
          failed(id) ? number(failed(id)) : '—',
          money(cobrado),
        ])}
      />
      <Part
        title="No entregados, y por qué"
        none="Todo lo que se intentó se entregó."
        head={['Pedido', 'Cliente', 'Quién', 'Motivo']}
        rows={noEntregados.map(({ id, numero_orden, cliente_nombre, nombre, motivo }) => [
          <Anchor key={id} inherit underline="always" renderRoot={(props) => <Link {...props} to="/pedidos/$id" params={{ id }} />}>
            {numero_orden}
          </Anchor>,
          cliente_nombre,
          nombre,
          motivo,
        ])}
      />
      <Part
        title="Cobrado hoy"
        none="Hoy no se ha cobrado nada."
        head={['Quién', 'Cómo', 'Pagos', 'Importe']}
        figures={['Pagos', 'Importe']}
        rows={cobros.map(({ nombre, metodo, pagos, euros }) => [nombre, metodo, number(pagos), money(euros)])}
      />
      <Part
        title="Cajas"
        none="Nadie tiene dinero por entregar."
        head={['Quién', 'Del día', 'Cobrado', 'Entregado', 'Cómo está']}
        figures={['Cobrado', 'Entregado']}
        rows={cajas.map((caja) => [
          caja.nombre,
          fecha(caja.dia),
          money(caja.cobrado),
          caja.entregada ? money(caja.entregado) : '—',
          cajaWords(caja),
        ])}
      />
      <Part
        title="Con empresas"
        none="Ninguna empresa tiene pedidos."
        head={['Empresa', 'Pedidos']}
        figures={['Pedidos']}
        rows={empresas.map(({ empresa, pedidos }) => [empresa, number(pedidos)])}
      />
      <Part
        title="Queda para después"
        none="Nada."
        head={['Qué', 'Cuánto']}
        figures={['Cuánto']}
        rows={[
          ...(devolver > 0 ? [['Por devolver a clientes', money(devolver)]] : []),
          ...(manana.dia ? [[`Para ${fechaCercana(manana.dia)}`, plural(manana.pedidos, 'pedido')]] : []),
          ...stock.map(({ name, stock }) => [`Se acaba: ${name}`, leftWords(stock)]),
        ]}
      />
    </Stack>
  );
}
