import type { PedidoTransportista } from '../../contract/pedidos/pedidos.ts';
import { CompleteDialog } from '../pedidos/actions/complete-dialog.tsx';
import { DetailsDialog } from '../pedidos/detail/details-dialog.tsx';
import { FailedAttemptDialog } from './failed-attempt-dialog.tsx';
import { OrderActions } from './order-actions.tsx';
import type { Steps } from './steps.ts';

export type Opened = {
  kind: 'details' | 'complete' | 'fail';
  pedido: PedidoTransportista;
  /** True if this telephone has already made the step. */
  made: boolean;
};
type Props = { opened: Opened | undefined; stepsOf: (pedido: PedidoTransportista) => Steps; onClose: () => void };

/** Dialogs that a carrier's order opens. */
export default function Dialogs({ opened, stepsOf, onClose }: Props) {
  const of = (kind: Opened['kind']) => ({ pedido: opened?.kind === kind ? opened.pedido : undefined, onClose });
  const made = !!opened?.made;
  const details = of('details');
  return (
    <>
      <DetailsDialog {...details} foot={details.pedido && <OrderActions pedido={details.pedido} steps={stepsOf(details.pedido)} />} />
      <CompleteDialog {...of('complete')} made={made} />
      <FailedAttemptDialog {...of('fail')} made={made} />
    </>
  );
}
