import { useState } from 'react';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import type { Pack } from '../../../contract/products/products.ts';
import { toast } from '../../ui/page/toast.tsx';
import { packProblem } from '../lineas/pack-picker.tsx';
import { hasContent, keepDraft, readDraft } from './draft.ts';
import { useCreate } from './use-create.ts';

const REQUIRED = 'Este campo es obligatorio';

/** Form of a reseller's new order, stored as a draft on every change. */
export function useNewForm(owner: string, packs: readonly Pack[] | undefined, onCreated: (pedido: Pedido) => void) {
  const [draft] = useState(() => readDraft(owner));
  const create = useCreate({
    draft,
    keep: (changed) => keepDraft(owner, changed),
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
