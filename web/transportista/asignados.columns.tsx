import { Anchor, Text } from '@mantine/core';
import { callHref, telephoneWords } from '../../contract/text/telephone.ts';
import type { Steps } from '../carga/steps.ts';
import { AvisarAntes } from '../pedidos/cliente/said.tsx';
import { summaryWords } from '../pedidos/summary.ts';
import { EstadoCell } from '../pedidos/table/matter.tsx';
import { Numero } from '../pedidos/table/pedido-link.tsx';
import { fecha } from '../ui/format/format.ts';
import type { Column } from '../ui/list/table-props.ts';
import { Aviso, AwaitsAnswer, Entrega } from './delivery.tsx';
import type { Optimistic } from './optimistic.ts';
import { AddressLink } from './place.tsx';
import { RowSteps } from './step-buttons.tsx';
import { Unsent } from './unsent.tsx';

type Actions = {
  stepsOf: (pedido: Optimistic) => Steps;
  onDetails: (pedido: Optimistic) => void;
};

/** Columns of a carrier's own orders; never a price (specification, section 6). */
export const asignadosColumns = ({ stepsOf, onDetails }: Actions): Column<Optimistic>[] => [
  {
    key: 'numero_orden',
    title: 'Pedido',
    // Jumps where «ORD-» and the year appear (pedido-link.module.css).
    width: 'clamp(6rem, (100cqw - 80rem) * 100, 9.5rem)',
    render: (p) => (
      <>
        <Text fz="sm" title={p.numero_orden}>
          <Numero numero={p.numero_orden} />
        </Text>
        <Text size="xs" c="dimmed">
          {fecha(p.fecha_pedido)}
        </Text>
      </>
    ),
  },
  {
    key: 'cliente',
    title: 'Cliente',
    width: 'clamp(7.5rem, 14cqw, 14rem)',
    render: (p) => (
      <>
        <Text fz="sm">{p.cliente_nombre}</Text>
        {p.cliente_telefono && (
          <Anchor size="xs" href={callHref(p.cliente_telefono, p.cliente_pais)}>
            {telephoneWords(p.cliente_telefono)}
          </Anchor>
        )}
        {p.avisar_antes && <AvisarAntes />}
      </>
    ),
  },
  { key: 'direccion', title: 'Dirección', width: 'clamp(9rem, 18cqw, 20rem)', render: (p) => <AddressLink pedido={p} /> },
  { key: 'producto', title: 'Producto', render: summaryWords },
  {
    key: 'estado',
    title: 'Estado',
    width: 172,
    render: (p) => (
      <>
        {/* The promised day and the customer's wish stand below. */}
        <EstadoCell pedido={p} except={['atrasado', 'aplazado']} />
        <Unsent pedido={p} />
        <Entrega pedido={p} />
        <Aviso pedido={p} />
        <AwaitsAnswer pedido={p} />
      </>
    ),
  },
  {
    key: 'acciones',
    title: 'Acciones',
    align: 'right',
    width: 226,
    render: (p) => <RowSteps name={p.numero_orden} steps={stepsOf(p)} onDetails={() => onDetails(p)} />,
  },
];
