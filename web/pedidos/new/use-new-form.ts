import { useForm } from '@mantine/form';
import { useRef, useState } from 'react';
import { createPedido, type Pedido } from '../../../contract/pedidos.ts';
import { useMutate } from '../../api.ts';
import { focusFirst } from '../../ui/form/focus-first.ts';
import { toast } from '../../ui/page/toast.tsx';
import { clienteBody, clienteRules } from '../cliente-values.ts';
import { EMPTY, hasContent, keepDraft, type NewPedidoValues, newKey, readDraft } from './draft.ts';
import { CANTIDAD, cantidadOf } from './quantity.ts';

const REQUIRED = 'Este campo es obligatorio';

/** Form of a new order, kept as a draft and submitted at most once. */
export function useNewForm(owner: string, onCreated: (pedido: Pedido) => void) {
  const [draft] = useState(() => readDraft(owner));
  const key = useRef(draft?.key ?? newKey());
  const sending = useRef(false);

  const form = useForm<NewPedidoValues>({
    initialValues: draft?.values ?? EMPTY,
    validate: {
      ...clienteRules(REQUIRED),
      pack_id: (value) => (value ? null : REQUIRED),
      cantidad: CANTIDAD.rule,
    },
    validateInputOnBlur: CANTIDAD.onBlur,
    onValuesChange: (values) => keepDraft(owner, { key: key.current, values }),
  });

  /** Empties the form and renews the key: what follows is another order. */
  function restart() {
    key.current = newKey();
    form.setValues(EMPTY);
    form.clearErrors();
  }

  const create = useMutate(createPedido, {
    success: '🎉 Pedido creado exitosamente!',
    failure: false,
    form,
    onSuccess: ({ data }) => {
      restart();
      onCreated(data);
    },
    onError: (error) => {
      if (error.code === 'idempotency') {
        // A response was lost and the form changed since, but the first submission did create an order.
        key.current = newKey();
        keepDraft(owner, { key: key.current, values: form.getValues() });
        toast.error('El envío anterior de este formulario sí creó un pedido. Compruébalo en Mis Pedidos antes de crear otro.');
      } else if (error.status === 401) toast.error('Usuario no autenticado');
      else toast.failure(error, 'Error al crear el pedido. Inténtalo de nuevo.');
      focusFirst(form, error.errors);
    },
  });

  const submit = form.onSubmit(
    ({ pack_id, cantidad, ...cliente }) => {
      // A double click submits again before the button re-renders disabled.
      if (sending.current) return;
      sending.current = true;
      const body = { ...clienteBody(cliente), pack_id, cantidad: cantidadOf(cantidad) ?? 1 };
      create.mutateAsync({ body, headers: { 'idempotency-key': key.current } }).then(
        () => {
          sending.current = false;
        },
        () => {
          sending.current = false;
        },
      );
    },
    (errors) => {
      const missing = Object.values(errors).includes(REQUIRED);
      toast.error(missing ? 'Por favor, completa todos los campos obligatorios' : String(Object.values(errors)[0]));
      focusFirst(form, errors);
    },
  );

  return { form, submit, restart, saving: create.isPending, restored: !!draft, filled: hasContent(form.values) };
}
