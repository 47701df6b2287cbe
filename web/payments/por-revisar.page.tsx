import { Anchor, Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { isBack } from '../../contract/payments/fields.ts';
import { listPagosPorRevisar, type PagoPorRevisar } from '../../contract/payments/payments.ts';
import { useApi } from '../api.ts';
import { fechaHora, money } from '../ui/format/format.ts';
import { DataTable } from '../ui/list/data-table.tsx';
import { focusList } from '../ui/list/focus-list.ts';
import { useSearchState } from '../ui/list/search-state.ts';
import type { Column } from '../ui/list/table-props.ts';
import { PageHeader } from '../ui/page/page-header.tsx';
import { adviceFor, ReviewDialog } from './review-dialog.tsx';

const CAUSE: Record<PagoPorRevisar['causa'], string> = {
  desconocido: 'No es de ningún pedido conocido',
  importe: 'El importe no es el que se debe',
  moneda: 'No es en euros',
  reembolso: 'Se ha reembolsado desde la pasarela',
  disputa: 'El cliente ha reclamado el cobro a su banco',
  disputa_perdida: 'El banco ha devuelto el cobro al cliente',
};
const amount = ({ importe, moneda }: PagoPorRevisar) =>
  moneda === 'EUR' ? money(importe) : `${importe?.toLocaleString('es-ES', { minimumFractionDigits: 2 }) ?? '—'} ${moneda}`;

function Cause({ pago }: { pago: PagoPorRevisar }) {
  const { causa, pedido, resolucion, motivo } = pago;
  return (
    <>
      <Text size="sm">{CAUSE[causa]}</Text>
      {pedido && (
        <Text size="xs" c="dimmed">
          <Anchor inherit underline="always" renderRoot={(props) => <Link {...props} to="/pedidos/$id" params={{ id: pedido.id }} />}>
            {pedido.numero_orden}
          </Anchor>{' '}
          ({pedido.cliente_nombre}), por pagar {money(pedido.pendiente)}
        </Text>
      )}
      {isBack(causa) && (
        <Text size="xs" c="dimmed">
          {adviceFor(pago)}
        </Text>
      )}
      {resolucion === 'devolver' && (
        <Text size="xs" fw={600}>
          Por devolver: «{motivo}»
        </Text>
      )}
    </>
  );
}

/** Genuine payments that match no order, amount or currency, and money that went back; a superadmin decides on each. */
export default function PorRevisarPage() {
  const [{ page }, set] = useSearchState({ page: 1 });
  const [open, setOpen] = useState<PagoPorRevisar>();
  const { data, error, isPlaceholderData, refetch } = useApi(listPagosPorRevisar, { query: { page } }, { keepPrevious: true });
  const review = (pago: PagoPorRevisar) => (
    <Button variant="light" size="xs" aria-label={`Revisar el pago ${pago.referencia}`} onClick={() => setOpen(pago)}>
      Revisar
    </Button>
  );
  const columns: Column<PagoPorRevisar>[] = [
    { key: 'received_at', at: 'line', title: 'Recibido', width: 150, render: ({ received_at }) => fechaHora(received_at) },
    {
      key: 'proveedor',
      at: 'line',
      title: 'Pasarela y referencia',
      render: ({ proveedor_nombre, referencia }) => (
        <>
          <Text size="sm">{proveedor_nombre}</Text>
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {referencia}
          </Text>
        </>
      ),
    },
    { key: 'importe', at: 'aside', title: 'Importe', width: 120, align: 'right', render: amount },
    { key: 'causa', at: 'title', title: 'Por qué', render: (pago) => <Cause pago={pago} /> },
    { key: 'acciones', at: 'foot', title: 'Acciones', width: 110, align: 'right', render: review },
  ];
  return (
    <>
      <PageHeader title="Pagos por revisar" subtitle="Dinero que ha llegado de verdad y no se ha podido apuntar solo en ningún pedido." />
      <DataTable
        label="Pagos por revisar"
        rows={data?.data}
        busy={isPlaceholderData}
        columns={columns}
        empty={{ title: 'No hay pagos por revisar', hint: 'Aquí aparecen los pagos de otro importe, de otra moneda o sin pedido.' }}
        error={{ title: 'No se pudieron cargar los pagos', cause: error, onRetry: () => void refetch() }}
        pages={{ of: data, noun: 'pagos', onPage: (page) => set({ page }) }}
        rowLines={3}
      />
      <ReviewDialog
        pago={open}
        onClose={() => {
          setOpen(undefined);
          focusList();
        }}
      />
    </>
  );
}
