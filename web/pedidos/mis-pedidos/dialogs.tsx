import { Button, Group, Stack } from '@mantine/core';
import { IconCalendarTime, IconListDetails, IconPencil, IconRepeat } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { getPedido, isWhole, type Pedido } from '../../../contract/pedidos/pedidos.ts';
import { can } from '../../../contract/policy/policy.ts';
import { listPacks } from '../../../contract/products/products.ts';
import { type ApiError, call } from '../../api.ts';
import { newKey } from '../../keys.ts';
import { useSession } from '../../session/session.ts';
import { FormDialog } from '../../ui/dialog/form-dialog.tsx';
import { toast } from '../../ui/page/toast.tsx';
import { POSTPONE, sealedReason } from '../actions/actions.ts';
import { CustomerMessage } from '../actions/customer-message.tsx';
import { PostponeDialog } from '../actions/postpone-dialog.tsx';
import { clienteCopied } from '../cliente/cliente-values.ts';
import { EMPTY, storeDraft } from '../create/draft.ts';
import { mayReplaceDraft } from '../create/replace-draft.ts';
import { DetailsDialog } from '../detail/details-dialog.tsx';
import { SituationBar } from '../detail/situation.tsx';
import { PedidoEdit } from '../edit/pedido-form.tsx';
import LineasDialog from '../lineas/lineas-dialog.tsx';
import { EMPTY_LINEA, type LineaValues } from '../lineas/values.ts';
import { PaymentActions } from '../pagos/payment-actions.tsx';

type Props = {
  open: Pedido | undefined;
  editing: Pedido | undefined;
  /** Order whose lines are edited. Stays set, with `opened` false, while the dialog fades out. */
  changing: { pedido: Pedido; opened: boolean } | undefined;
  onClose: () => void;
  onEdit: () => void;
  onChangeLines: () => void;
  onEdited: () => void;
  onChanged: () => void;
};

/** Dialogs of a reseller's order: details, correction of data, lines, and postponing. */
export default function Dialogs({ open, editing, changing, onClose, onEdit, onChangeLines, onEdited, onChanged }: Props) {
  const actor = useSession();
  const [postponing, setPostponing] = useState<Pedido>();
  const repeat = useRepeat();
  return (
    <>
      <DetailsDialog
        pedido={open}
        onClose={onClose}
        actions={
          open && (
            <Stack>
              <SituationBar pedido={open} brief />
              {open.estado === 'pendiente_pago' && open.payment_link && <PaymentActions pedido={open} link={open.payment_link} />}
              <Group>
                <CustomerMessage pedido={open} />
                {can(actor, 'pedido:edit', open) && (
                  <Button variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={onEdit}>
                    Corregir los datos
                  </Button>
                )}
                {can(actor, 'pedido:edit-lines', open) && (
                  <Button variant="default" leftSection={<IconListDetails size={16} aria-hidden />} onClick={onChangeLines}>
                    Cambiar productos
                  </Button>
                )}
                {can(actor, 'pedido:postpone', open) && (
                  <Button variant="default" leftSection={<IconCalendarTime size={16} aria-hidden />} onClick={() => setPostponing(open)}>
                    {POSTPONE}
                  </Button>
                )}
                {!sealedReason(open) && (
                  <Button variant="default" leftSection={<IconRepeat size={16} aria-hidden />} onClick={() => void repeat(open)}>
                    Repetir pedido
                  </Button>
                )}
              </Group>
            </Stack>
          )
        }
      />
      <PostponeDialog pedido={postponing} onClose={() => setPostponing(undefined)} />
      {changing && <LineasDialog pedido={changing.opened ? changing.pedido : undefined} onClose={onChanged} />}
      <FormDialog opened={!!editing} onClose={onEdited} title={`Corregir el pedido ${editing?.numero_orden}`} size="xl">
        {({ dirty, onCancel }) => editing && <PedidoEdit pedido={editing} dirty={dirty} onCancel={onCancel} onSaved={onEdited} brief />}
      </FormDialog>
    </>
  );
}

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
