import { IconCopy, IconExternalLink, IconPencil, IconRepeat } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { getPedido, isWhole, type Pedido } from '../../../contract/pedidos/pedidos.ts';
import { can } from '../../../contract/policy/policy.ts';
import { listPacks } from '../../../contract/products/products.ts';
import { type ApiError, call } from '../../api.ts';
import { newKey } from '../../keys.ts';
import { useSession } from '../../session/session.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { toast } from '../../ui/page/toast.tsx';
import { isOffered, type PedidoDialogProps, sealedReason } from '../actions/actions.ts';
import { clienteCopied } from '../cliente/cliente-values.ts';
import { EMPTY, storeDraft } from '../create/draft.ts';
import { mayReplaceDraft } from '../create/replace-draft.ts';
import { type StepsProps, WholeDetails } from '../detail/details-dialog.tsx';
import { SituationBar } from '../detail/situation.tsx';
import { PedidoEdit } from '../edit/pedido-form.tsx';
import { EMPTY_LINEA, type LineaValues } from '../lineas/values.ts';
import { PaymentHints } from '../pagos/payment-actions.tsx';
import { copyPaymentLink } from '../pagos/payment-link.ts';

/** Details of a reseller's order, with its steps. */
export const OwnOrder = (props: PedidoDialogProps) => <WholeDetails {...props} Steps={Steps} />;

function Steps({ pedido, onAction }: StepsProps) {
  const actor = useSession();
  const repeat = useRepeat();
  const link = isOffered(actor, pedido, 'pedir_pago') && pedido.payment_link;
  const sealed = sealedReason(pedido);
  const further = [
    ...(link
      ? [
          { label: 'Pagar ahora', Icon: IconExternalLink, run: () => void window.open(link, '_blank', 'noopener') },
          { label: 'Copiar enlace', Icon: IconCopy, run: () => void copyPaymentLink(link) },
        ]
      : []),
    ...(can(actor, 'pedido:edit', pedido) && !sealed
      ? [{ label: 'Corregir los datos', Icon: IconPencil, run: (from: Element | null) => onAction({ kind: 'edit' }, pedido, from) }]
      : []),
    ...(sealed ? [] : [{ label: 'Repetir pedido', Icon: IconRepeat, run: () => void repeat(pedido) }]),
  ];
  return (
    <>
      <SituationBar pedido={pedido} onAction={onAction} further={further} />
      {link && <PaymentHints link={link} />}
    </>
  );
}

export const CorrectOrder = ({ pedido, onClose }: PedidoDialogProps) => (
  <FormDialog opened={!!pedido} onClose={onClose} title={`Corregir el pedido ${pedido?.numero_orden ?? ''}`} size="xl">
    {({ dirty, onCancel }) => pedido && <PedidoEdit pedido={pedido} dirty={dirty} onCancel={onCancel} onSaved={onClose} brief />}
  </FormDialog>
);

/** Lines whose pack is still on sale, and the products of all other lines (`gone`). */
async function linesAgain({ id }: Pedido): Promise<{ lineas: LineaValues[]; gone: string[] }> {
  const [{ data }, packs] = await Promise.all([call(getPedido, { params: { id } }), call(listPacks)]);
  const sold = new Set(packs.data.filter((pack) => pack.available).map((pack) => pack.id));
  const lines = isWhole(data) ? (data.lineas ?? []) : [];
  const lineas: LineaValues[] = [];
  const gone: string[] = [];
  for (const { numero, pack_id, producto, cantidad } of lines) {
    if (pack_id && sold.has(pack_id)) lineas.push({ ...EMPTY_LINEA, key: numero, pack_id, cantidad: String(cantidad) });
    else gone.push(producto);
  }
  return { lineas: lineas.length ? lineas : [EMPTY_LINEA], gone };
}

/** Opens «Nuevo Pedido» with a copy of an order; asks before replacing a draft. */
function useRepeat() {
  const { id } = useSession();
  const navigate = useNavigate();
  return async (pedido: Pedido) => {
    if (!(await mayReplaceDraft(id))) return;
    const again = await linesAgain(pedido).catch((error: ApiError) => toast.failure(error, 'No se pudo repetir el pedido'));
    if (!again) return;
    const values = { ...EMPTY, ...clienteCopied(pedido), lineas: again.lineas };
    storeDraft(id, { key: newKey(), values, from: pedido.numero_orden });
    if (again.gone.length) toast.info(`Ya no se vende: ${again.gone.join('; ')}`);
    void navigate({ to: '/pedidos/nuevo' });
  };
}
