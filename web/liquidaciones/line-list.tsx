import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Paged } from '../../contract/kit/endpoint.ts';
import { CONCEPTOS } from '../../contract/liquidaciones/fields.ts';
import type { Ganancia } from '../../contract/liquidaciones/liquidaciones.ts';
import { mayEver } from '../../contract/policy/policy.ts';
import { ZONAS } from '../../contract/zonas/zonas.ts';
import { useSession } from '../session/session.ts';
import { fecha, money } from '../ui/format/format.ts';
import { DataTable } from '../ui/list/data-table.tsx';
import type { Column } from '../ui/list/table-props.ts';

type Props = {
  lines: Paged<Ganancia> | undefined;
  label: string;
  empty: { title: string; hint?: string };
  error: { message: string } | null;
  onRetry: () => void;
  busy: boolean;
  onPage: (page: number) => void;
};

/** Detail of a line: place, calculation or reason. */
const wordsOf = ({ nota, detalle, ciudad, zona }: Ganancia) =>
  [nota, detalle, zona ? [ciudad, ZONAS[zona].label].filter(Boolean).join(', ') : ''].filter(Boolean).join(' · ');

/** Order number of a line; a link to the order for the office. */
function Order({ numero_orden, pedido_id }: Ganancia) {
  const office = mayEver(useSession(), 'liquidacion:manage');
  if (!numero_orden || !pedido_id) return null;
  if (!office) return numero_orden;
  return (
    <Link to="/pedidos/$id" params={{ id: pedido_id }} style={{ color: 'inherit' }}>
      {numero_orden}
    </Link>
  );
}

const Amount = ({ importe }: Ganancia) => (
  <Text inherit component="span" fw={600} c={importe < 0 ? 'red' : undefined} style={{ whiteSpace: 'nowrap' }}>
    {money(importe)}
  </Text>
);

const COLUMNS: Column<Ganancia>[] = [
  { key: 'dia', at: 'line', title: 'Fecha', width: 110, render: ({ dia }) => fecha(dia) },
  { key: 'concepto', at: 'title', title: 'Concepto', width: 140, render: ({ concepto }) => CONCEPTOS[concepto] },
  { key: 'numero_orden', at: 'line', title: 'Pedido', width: 160, render: (line) => <Order {...line} /> },
  { key: 'detalle', at: 'line', title: 'Detalle', render: wordsOf },
  { key: 'importe', at: 'aside', title: 'Importe', width: 130, align: 'right', render: (line) => <Amount {...line} /> },
];

export const GananciaList = ({ lines, label, empty, error, onRetry, busy, onPage }: Props) => (
  <DataTable
    label={label}
    rows={lines?.data}
    columns={COLUMNS}
    empty={empty}
    error={{ title: 'No se pudieron cargar las líneas', cause: error, onRetry }}
    busy={busy}
    pages={{ of: lines, noun: 'líneas', onPage }}
  />
);
