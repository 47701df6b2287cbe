import { Anchor, Text } from '@mantine/core';
import { callHref, telephoneWords } from '../../contract/text/telephone.ts';
import type { Steps } from '../carga/steps.ts';
import { AvisarAntes } from '../pedidos/cliente/said.tsx';
import { summaryWords } from '../pedidos/summary.ts';
import { EstadoCell } from '../pedidos/table/matter.tsx';
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
  /** True if only finished orders are listed; their actions need less room. */
  finished: boolean;
};

/** Columns of a carrier's own orders; never a price (specification, section 6). */
export const asignadosColumns = ({ stepsOf, onDetails, finished }: Actions): Column<Optimistic>[] => [
  {
    key: 'numero_orden',
    title: 'Pedido',
    width: finished ? 150 : 136,
    render: (p) => (
      <>
        <Text fz="sm" fw={600} style={{ whiteSpace: 'nowrap' }}>
          {p.numero_orden}
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
    width: finished ? 170 : 124,
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
  { key: 'direccion', title: 'Dirección', width: finished ? 200 : 138, render: (p) => <AddressLink pedido={p} /> },
  { key: 'producto', title: 'Producto', width: finished ? 280 : 150, render: summaryWords },
  {
    key: 'estado',
    title: 'Estado',
    width: finished ? 200 : 164,
    render: (p) => (
      <>
        <EstadoCell pedido={p} />
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
    width: finished ? 100 : 346,
    render: (p) => <RowSteps name={p.numero_orden} steps={stepsOf(p)} onDetails={() => onDetails(p)} />,
  },
];
