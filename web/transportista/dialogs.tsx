import type { PedidoTransportista } from '../../contract/pedidos.ts';
import { CompleteDialog } from '../pedidos/actions/complete-dialog.tsx';
import { DetailsDialog } from '../pedidos/details-dialog.tsx';
import { FailedAttemptDialog } from './failed-attempt-dialog.tsx';

export type Opened = { kind: 'details' | 'complete' | 'fail'; pedido: PedidoTransportista };
type Props = { opened: Opened | undefined; onClose: () => void };

/** Dialogs of a carrier's order. */
export function Dialogs({ opened, onClose }: Props) {
  const of = (kind: Opened['kind']) => ({ pedido: opened?.kind === kind ? opened.pedido : undefined, onClose });
  return (
    <>
      <DetailsDialog {...of('details')} />
      <CompleteDialog {...of('complete')} />
      <FailedAttemptDialog {...of('fail')} />
    </>
  );
}
