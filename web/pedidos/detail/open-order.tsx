import { type ReactNode, type Ref, useState } from 'react';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import Returns from '../../devoluciones/returns.tsx';
import { MetadataSection } from '../../ui/page/metadata.tsx';
import type { PedidoDialogProps } from '../actions/actions.ts';
import { OrderedFacts, RecordedFacts } from '../edit/pedido-facts.tsx';
import { Pagos } from '../pagos/pagos.tsx';
import DeliveryProof from './delivery-proof.tsx';
import classes from './open-order.module.css';
import { OrderContact } from './order-head.tsx';
import { useOwed } from './owed.ts';
import { SealedNotice } from './sealed-notice.tsx';
import { Around, SituationBar } from './situation.tsx';
import { OrderTimeline } from './timeline.tsx';

type Props = Pick<PedidoDialogProps, 'around'> & {
  onAction: NonNullable<PedidoDialogProps['onAction']>;
  pedido: Pedido;
  dirty: Ref<() => boolean> | undefined;
  /** Icons beside the links to other orders. */
  tools?: ReactNode;
};

/** Content of an open order, in its dialog and on its page: situation and steps, recipient, goods and money, and what happened. */
export function OpenOrder({ pedido, onAction, around, dirty, tools }: Props) {
  const { back, joint } = useOwed(pedido);
  // Counts presses, so that each press opens an empty form.
  const [started, setStarted] = useState<{ what: 'refund' | 'return'; press: number }>();
  const start = (what: 'refund' | 'return') => setStarted({ what, press: (started?.press ?? 0) + 1 });
  return (
    <div className={classes.box}>
      <div className={classes.order}>
        <SituationBar
          pedido={{ ...pedido, por_reembolsar: back, venta_conjunta: joint }}
          onAction={onAction}
          onStart={start}
          tools={
            <span className={classes.tools}>
              {tools}
              {around && <Around {...around} />}
            </span>
          }
        />
        <SealedNotice pedido={pedido} />
        <div className={classes.aside}>
          <OrderContact pedido={pedido} />
          <div className={classes.facts}>
            <RecordedFacts pedido={pedido} />
            <MetadataSection metadata={pedido.metadata} />
          </div>
        </div>
        <div className={classes.main}>
          <OrderedFacts pedido={pedido} back={back} />
          <Pagos key={`pagos ${started?.press ?? 0}`} pedido={pedido} start={started?.what === 'refund'} />
          <Returns key={`devoluciones ${started?.press ?? 0}`} pedido={pedido} start={started?.what} quiet dirty={dirty} />
          {pedido.estado === 'completado' && <DeliveryProof id={pedido.id} />}
          <div className={classes.past}>
            <OrderTimeline pedido={pedido} />
          </div>
        </div>
      </div>
    </div>
  );
}
