import type { LineaTransportista } from '../../../contract/pedidos/lineas.ts';
import { firmLabel } from '../../../contract/pedidos/metodos.ts';
import type { PedidoTransportista } from '../../../contract/pedidos/pedidos.ts';
import { situationOf, whyOrderStays } from '../../../contract/pedidos/situation.ts';
import { addressLines } from '../../../contract/text/address.ts';
import { telephoneWords } from '../../../contract/text/telephone.ts';
import { useSession } from '../../session/session.ts';
import { type Fact, Facts } from '../../ui/format/facts.tsx';
import { clock, fecha, number } from '../../ui/format/format.ts';
import { companyWords } from '../table/with-company.tsx';
import { Barcode } from './barcode.tsx';
import { Collect, type Company, Sender } from './parts.tsx';
import classes from './sheet.module.css';

type Props = { pedido: PedidoTransportista; lineas: readonly LineaTransportista[]; company: Company };

/** Delivery note of an order. Typed as the carrier's view, which has no prices except the amount to collect (design, section 4.32). */
export function Albaran({ pedido, lineas, company }: Props) {
  const actor = useSession();
  const facts: Fact[] = [
    ['Fecha de pedido', fecha(pedido.fecha_pedido)],
    ['Fecha estimada', pedido.fecha_estimada && fecha(pedido.fecha_estimada)],
    ['Franja horaria', pedido.franja_horaria],
    ['Transportista', companyWords(pedido) ?? pedido.transportista_nombre ?? 'Sin asignar'],
    ['Empresa de transporte', firmLabel(pedido.empresa_transporte)],
    ['Núm. seguimiento', pedido.numero_seguimiento],
  ];

  return (
    <article className={classes.sheet} aria-label={`Albarán ${pedido.numero_orden}`}>
      <div className={classes.head}>
        <div>
          <p className={classes.label}>Albarán de entrega</p>
          <h2>{pedido.numero_orden}</h2>
        </div>
        <Barcode text={pedido.numero_orden} />
      </div>
      <Sender company={company} />
      <div className={classes.customer}>
        <h3>Entregar a</h3>
        <p className={classes.name}>{pedido.cliente_nombre}</p>
        {addressLines(pedido).map((line) => (
          <p key={line}>{line}</p>
        ))}
        {pedido.cliente_telefono && <p>Tel. {telephoneWords(pedido.cliente_telefono)}</p>}
        {pedido.avisar_antes && <p className={classes.name}>Avisar antes</p>}
      </div>
      {whyOrderStays(pedido) && <p className={classes.collect}>No sale a reparto: {situationOf(pedido, actor, clock()).sentence}</p>}
      <Collect of={pedido} />
      <dl className={classes.facts}>
        <Facts of={facts} />
      </dl>
      <table>
        <thead>
          <tr>
            <th>Producto</th>
            <th className={classes.units}>Cantidad</th>
          </tr>
        </thead>
        <tbody>
          {lineas.map(({ numero, producto, cantidad }) => (
            <tr key={numero}>
              <td>{producto}</td>
              <td className={classes.units}>{number(cantidad)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {(pedido.instrucciones || pedido.aviso_cliente) && (
        <div>
          <h3>Instrucciones</h3>
          {pedido.instrucciones && <p>{pedido.instrucciones}</p>}
          {pedido.aviso_cliente && <p>El cliente pide: {pedido.aviso_cliente}</p>}
        </div>
      )}
      <div className={classes.foot}>
        <span>Recibido por (nombre y DNI)</span>
        <span>Fecha y hora</span>
        <span>Firma</span>
      </div>
    </article>
  );
}
