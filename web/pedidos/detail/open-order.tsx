import { Group } from '@mantine/core';
import type { Ref } from 'react';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import Comments from '../../comentarios/comments.tsx';
import Returns from '../../devoluciones/returns.tsx';
import { useSession } from '../../session/session.ts';
import { MetadataSection } from '../../ui/page/metadata.tsx';
import type { PedidoDialogProps } from '../actions/actions.ts';
import { SaidOfCliente } from '../cliente/said.tsx';
import { EstadoFact, OrderedFacts, RecordedFacts } from '../edit/pedido-facts.tsx';
import { ClienteView } from '../edit/pedido-form.tsx';
import { Pagos } from '../pagos/pagos.tsx';
import Attempts from './attempts.tsx';
import { CompanyNotice } from './company-notice.tsx';
import { DeletedNotice } from './deleted-notice.tsx';
import DeliveryProof from './delivery-proof.tsx';
import { Historial } from './history.tsx';
import { IncidentNotice } from './incident-notice.tsx';
import classes from './open-order.module.css';
import { OrderContact } from './order-head.tsx';
import { useOwed } from './owed.tsx';
import { Around, nextStepOf, PedidoSteps } from './pedido-steps.tsx';
import { SealedNotice } from './sealed-notice.tsx';

type Props = Pick<PedidoDialogProps, 'onAction' | 'around'> & { pedido: Pedido; dirty: Ref<() => boolean> | undefined };

/** Content of an open order, in its dialog and on its page: contact, next step, goods, payments, and further facts. */
export function OpenOrder({ pedido, onAction, around, dirty }: Props) {
  const actor = useSession();
  const owed = useOwed(pedido);
  const notes = !!onAction && nextStepOf(actor, pedido)?.action.kind === 'pay';
  const part = (name: string | undefined) => `${classes.part} ${name}`;
  return (
    <div className={classes.order}>
      <div className={classes.parts}>
        <div className={part(classes.contact)}>
          <OrderContact pedido={pedido} />
          <SaidOfCliente nota={pedido.cliente_nota} avisar_antes={pedido.avisar_antes} />
        </div>
        <div className={part(classes.steps)}>
          <Group justify="space-between" align="start" wrap="nowrap">
            <EstadoFact pedido={pedido} />
            {around && <Around {...around} />}
          </Group>
          <PedidoSteps pedido={{ ...pedido, venta_conjunta: owed.joint }} onAction={onAction} further={owed.further} />
          <DeletedNotice pedido={pedido} isStep={!!onAction} />
          <SealedNotice pedido={pedido} />
          <IncidentNotice pedido={pedido} isStep />
          <CompanyNotice pedido={pedido} />
        </div>
        <div className={part(classes.what)}>
          <OrderedFacts pedido={pedido} />
        </div>
        <div className={part(classes.money)}>
          <Pagos key={`pagos ${owed.started}`} pedido={pedido} start={owed.started === 'refund'} noted={notes} />
          <Returns key={`devoluciones ${owed.started}`} pedido={pedido} start={owed.started} dirty={dirty} />
          <Attempts pedido={pedido} />
          {pedido.estado === 'completado' && <DeliveryProof id={pedido.id} />}
        </div>
        <div className={part(classes.rest)}>
          <RecordedFacts pedido={pedido} />
          <ClienteView key={pedido.version} pedido={pedido} />
          <MetadataSection metadata={pedido.metadata} />
          <Comments pedido={pedido} />
          <Historial id={pedido.id} />
        </div>
      </div>
    </div>
  );
}
