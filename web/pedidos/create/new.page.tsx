import { useState } from 'react';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import type { Pack } from '../../../contract/products/products.ts';
import { useSession } from '../../session/session.ts';
import { toast } from '../../ui/page/toast.tsx';
import { packProblem, usePacks } from '../lineas/pack-picker.tsx';
import { CreatedDialog } from './created-dialog.tsx';
import { readDraft, storeDraft } from './draft.ts';
import { DraftHeader } from './draft-header.tsx';
import { NewPedido } from './new-pedido.tsx';
import { useCreate } from './use-create.ts';

export default function NewPedidoPage() {
  const { id } = useSession();
  const [created, setCreated] = useState<Pedido>();
  const packs = usePacks();
  const { form, submit, restart, ways, saving, restored } = useNewForm(id, packs.packs, setCreated);

  return (
    <>
      <DraftHeader title="Nuevo Pedido" draft={restored} values={form.values} saving={saving} onDiscard={restart} />
      <NewPedido
        form={form}
        onSubmit={submit}
        saving={saving}
        ways={ways}
        submit="Crear Pedido"
        packs={packs}
        failure="No se pudieron cargar los packs"
      />
      <CreatedDialog pedido={created} onClose={() => setCreated(undefined)} />
    </>
  );
}

const REQUIRED = 'Este campo es obligatorio';

/** Form of a reseller's new order, stored as a draft on every change. */
function useNewForm(owner: string, packs: readonly Pack[] | undefined, onCreated: (pedido: Pedido) => void) {
  const [draft] = useState(() => readDraft(owner));
  const create = useCreate({
    draft,
    storeDraft: (changed) => storeDraft(owner, changed),
    required: REQUIRED,
    missing: 'Por favor, completa todos los campos obligatorios',
    packProblem: (id) => packProblem(packs, id, REQUIRED),
    success: '🎉 Pedido creado exitosamente!',
    onCreated: (pedido) => {
      create.restart();
      onCreated(pedido);
    },
    onFailure: (error) => {
      if (error.status === 401) toast.error('Usuario no autenticado', { about: error.about });
      else toast.failure(error, 'Error al crear el pedido. Inténtalo de nuevo.');
    },
    list: 'Mis Pedidos',
  });
  return { ...create, restored: draft };
}
