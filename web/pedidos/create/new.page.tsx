import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import type { Pack } from '../../../contract/products/products.ts';
import { useSession } from '../../session/session.ts';
import { confirm } from '../../ui/dialog/confirm.ts';
import { PageHeader } from '../../ui/page/panel.tsx';
import { toast } from '../../ui/page/toast.tsx';
import { packProblem, usePacks } from '../lineas/pack-picker.tsx';
import { ContraReembolso } from './contra-reembolso.tsx';
import { CreatedDialog } from './created-dialog.tsx';
import { hasContent, readDraft, storeDraft } from './draft.ts';
import { NewPedido } from './new-pedido.tsx';
import { useCreate } from './use-create.ts';

const DISCARD = {
  title: 'Descartar borrador',
  message: 'Se borrará todo lo que has escrito en este formulario.',
  confirm: 'Descartar',
  danger: true,
};

export default function NewPedidoPage() {
  const { id, contra_reembolso } = useSession();
  const [created, setCreated] = useState<Pedido>();
  const packs = usePacks();
  const { form, submit, restart, saving, restored, filled } = useNewForm(id, packs.packs, setCreated);
  const origin = restored?.from ? `Copiado del pedido ${restored.from}.` : 'Se ha recuperado el borrador que dejaste a medias.';

  async function discard() {
    if (await confirm(DISCARD)) restart();
  }

  return (
    <>
      <PageHeader
        title="Nuevo Pedido"
        subtitle={restored && filled ? origin : undefined}
        actions={
          filled && (
            <Button variant="default" onClick={() => void discard()} disabled={saving}>
              Descartar borrador
            </Button>
          )
        }
      />
      <NewPedido
        form={form}
        onSubmit={submit}
        saving={saving}
        submit="Crear Pedido"
        packs={packs}
        failure="No se pudieron cargar los packs"
        inputs={
          contra_reembolso &&
          (() => (
            <ContraReembolso
              checked={form.values.contra_reembolso !== ''}
              onChange={(checked) => form.setFieldValue('contra_reembolso', checked ? 'si' : '')}
              error={form.errors.contra_reembolso}
            />
          ))
        }
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
  return { ...create, restored: draft, filled: hasContent(create.form.values) };
}
