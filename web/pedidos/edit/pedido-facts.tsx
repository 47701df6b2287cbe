import { Stack, TextInput } from '@mantine/core';
import { listDevoluciones } from '../../../contract/devoluciones/devoluciones.ts';
import { PEDIDO_FIELDS, pedidoLabel } from '../../../contract/pedidos/fields.ts';
import { companyLabel, firmLabel } from '../../../contract/pedidos/metodos.ts';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { can } from '../../../contract/policy/policy.ts';
import { useApi } from '../../api.ts';
import { IvaFact } from '../../iva/iva-fact.tsx';
import { useSession } from '../../session/session.ts';
import { EstadoBadge } from '../../ui/format/estado-badge.tsx';
import { FactList, WIDE } from '../../ui/format/facts.tsx';
import { fecha, fechaHora, money } from '../../ui/format/format.ts';
import { TrackingLink } from '../../ui/format/tracking-link.tsx';
import { becameWords } from '../lineas/became.ts';
import { Lines } from '../lineas/lines.tsx';
import { type SeenLine, useLines } from '../lineas/use-lines.ts';
import { companyWords } from '../table/with-company.tsx';
import classes from './pedido-form.module.css';

type Props = { pedido: Pedido };

/** Read-only facts at the top of an order's form (specification, section 2.8). */
export const FixedFacts = ({ pedido }: Props) => (
  <Stack className={classes.fixed}>
    <OrderedFacts pedido={pedido} />
    {pedido.num_lineas === 1 && <TextInput label="Cantidad" type="number" min={1} value={pedido.cantidad} disabled w="6rem" />}
    <RecordedFacts pedido={pedido} estado />
  </Stack>
);

/** Lines of an order, with amounts that add up to the amount due. `back`: euros to refund. */
export function OrderedFacts({ pedido, back = 0 }: Props & { back?: number }) {
  const known = useLines(pedido);
  const { producto, cantidad, precio_unitario, precio_total, envio, descuento, pagado, reembolsado, estado } = pedido;
  const goods = Math.round((precio_total - envio + descuento) * 100) / 100;
  const [only] = pedido.lineas ?? [];
  const single = { numero: 1, producto, cantidad, precio_unitario, precio_total: goods, imagen: only?.imagen };
  const { lines, coming } = known ?? { lines: [single], coming: 0 };
  const hasReturns = estado === 'completado' && (pedido.cantidad_devuelta > 0 || pedido.entrega_parcial);
  const asks = can(useSession(), 'pedido:returns', pedido) && hasReturns;
  const answer = useApi(listDevoluciones, { params: { id: pedido.id } }, { enabled: asks }).data?.data;
  // Nothing is said of lines whose returns are not known (yet).
  const returns = hasReturns ? answer : [];
  const became = returns && coming === 0 ? (line: SeenLine) => becameWords(pedido, line, returns) : undefined;
  const atDoor = pedido.contra_reembolso && estado !== 'completado';
  // Worth of the goods that the customer does not keep.
  const less = precio_total - pagado + reembolsado - pedido.pendiente + pedido.por_reembolsar;
  const sums = [
    {
      label: 'Devuelto o no entregado',
      euros: estado === 'completado' && !pedido.deleted_at ? Math.round(less * 100) / 100 : 0,
      sign: '−',
    },
    { label: 'Pagado', euros: pagado, sign: '−' },
    { label: 'Reembolsado', euros: reembolsado },
    { label: atDoor ? 'Se cobra al entregar' : 'Por cobrar', euros: pedido.deleted_at ? 0 : pedido.pendiente, strong: true },
    { label: 'Por reembolsar', euros: back, strong: true },
  ].flatMap(({ euros, sign = '', ...sum }) => (euros > 0 ? [{ ...sum, amount: `${sign}${money(euros)}` }] : []));
  return (
    <div>
      <Lines lines={lines} coming={coming} amounts={pedido} {...(became && { became })} sums={sums} />
      {pedido.iva && <IvaFact pedido={pedido} />}
    </div>
  );
}

/** Number, dates, people and shipping of an order. */
export function RecordedFacts({ pedido, estado }: Props & { estado?: boolean }) {
  const { metodo_entrega, numero_seguimiento, fecha_completado, fecha_estimada } = pedido;
  const tracking = numero_seguimiento && pedido.seguimiento_url && (
    <TrackingLink numero={numero_seguimiento} url={pedido.seguimiento_url} />
  );
  return (
    <FactList
      of={[
        ['Número de orden', pedido.numero_orden],
        // Two shops can have the same number.
        ['Tienda en línea', [pedido.tienda, pedido.tienda && pedido.referencia_externa].filter(Boolean).join(' · ')],
        ['Estado', estado && <EstadoBadge estado={pedido.estado} />],
        ['Fecha de pedido', fechaHora(pedido.fecha_pedido)],
        ['Fecha estimada', fecha_estimada && fecha(fecha_estimada)],
        ['Revendedor', pedido.revendedor_nombre ?? 'Tienda'],
        ['Transportista', companyWords(pedido) ?? pedido.transportista_nombre ?? 'Sin asignar'],
        ['Empresa', !pedido.en_empresa && firmLabel(pedido.empresa_transporte)],
        ['Método de entrega', metodo_entrega && companyLabel(metodo_entrega)],
        ['Seguimiento', metodo_entrega && (tracking || (numero_seguimiento ?? 'Sin seguimiento'))],
        ['Fecha de entrega', fecha_completado && fechaHora(fecha_completado)],
        ['Forma de pago', pedido.contra_reembolso && PEDIDO_FIELDS.contra_reembolso.label],
        [pedidoLabel('aviso_cliente'), pedido.aviso_cliente, WIDE],
      ]}
    />
  );
}
