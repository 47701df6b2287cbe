import { FORM_INDEX, useForm } from '@mantine/form';
import { useRef } from 'react';
import type { Doubt } from '../../../contract/doubts/doubts.ts';
import { METODOS_PAGO } from '../../../contract/payments/fields.ts';
import { PEDIDO_FIELDS } from '../../../contract/pedidos/fields.ts';
import { calcularTotal, createPedido, type Pedido } from '../../../contract/pedidos/pedidos.ts';
import { can } from '../../../contract/policy/policy.ts';
import { type ApiError, useMutate } from '../../api.ts';
import { newKey } from '../../keys.ts';
import { useSession } from '../../session/session.ts';
import { focusFirst } from '../../ui/form/form-actions.tsx';
import { rulesOf } from '../../ui/form/rules.ts';
import { writeName } from '../../ui/page/operation.ts';
import { TIME_TO_UNDO, toast } from '../../ui/page/toast.tsx';
import { askDoubts } from '../cliente/ask-doubts.ts';
import { clienteBody, clienteRules } from '../cliente/cliente-values.ts';
import { lineasBody, lineasRules, parseEuros } from '../lineas/values.ts';
import { useWays } from './como-paga.tsx';
import { type Draft, EMPTY, type NewPedidoValues } from './draft.ts';

type Options = {
  draft?: Draft | undefined;
  /** Stores the draft on every change. */
  storeDraft?: (draft: Draft) => void;
  /** Message for a missing field. */
  required: string;
  /** Returns the problem with a chosen pack, or null. */
  packProblem: (pack_id: string) => string | null;
  success: string;
  onCreated: (pedido: Pedido) => void;
  onFailure: (error: ApiError) => void;
  /** Spanish name of the list in which to look for the order after a lost answer. */
  list: string;
  /** Toast if a required field is missing; by default the first error's message. */
  missing?: string;
};

/** Form of a new order; an idempotency key keeps a retry from creating a second order. */
export function useCreate({ draft, storeDraft, required, packProblem, success, onCreated, onFailure, list, missing }: Options) {
  const free = can(useSession(), 'pedido:create-free');
  const key = useRef(draft?.key ?? newKey());
  const asked = useRef<readonly Doubt[]>([]);
  const ways = useWays();
  const form = useForm<NewPedidoValues>({
    initialValues: draft?.values ?? EMPTY,
    validate: {
      ...clienteRules(required),
      lineas: lineasRules(packProblem, required),
      ...rulesOf(PEDIDO_FIELDS, ['envio', 'descuento']),
      pago_metodo: (metodo, values) => (ways.of(values) === 'pagado' && !metodo ? 'Elige cómo ha pagado' : null),
    },
    validateInputOnBlur: [`lineas.${FORM_INDEX}.cantidad`, `lineas.${FORM_INDEX}.precio_unitario`, 'envio', 'descuento'],
    onValuesChange: (values) => storeDraft?.({ key: key.current, values }),
  });

  /** Empties the form and renews the key for another order. */
  function restart() {
    key.current = newKey();
    form.setValues(EMPTY);
    form.clearErrors();
  }

  const create = useMutate(createPedido, {
    success,
    failure: false,
    // Creating an order changes no price, so computed totals stay cached.
    keeps: calcularTotal,
    form,
    onSuccess: ({ data, avisos }) => {
      const further = avisos.filter(({ id }) => !asked.current.some((doubt) => doubt.id === id));
      if (further.length > 0)
        toast.info(further.map(({ frase }) => frase).join(' '), { title: data.numero_orden, autoClose: TIME_TO_UNDO });
      onCreated(data);
    },
    onError: (error) => {
      if (error.code === 'idempotency') {
        // An earlier request, whose answer was lost, created an order, and the form has changed since.
        key.current = newKey();
        storeDraft?.({ key: key.current, values: form.getValues() });
        toast.error(`El envío anterior de este formulario sí creó un pedido. Compruébalo en ${list} antes de crear otro.`, {
          about: error.about,
        });
      } else onFailure(error);
      focusFirst(form, error.errors);
    },
  });

  const submit = form.onSubmit(
    ({ lineas, revendedor_id, forma: chosen, pago_metodo, pago_fecha, envio, descuento, ...cliente }) => {
      const forma = ways.of({ forma: chosen });
      const metodo = METODOS_PAGO.find((each) => each === pago_metodo);
      // Null, not absent: the shipping of a country without tariff has to be typed.
      const amounts = { envio: parseEuros(envio) ?? null, descuento: parseEuros(descuento) };
      const body = {
        ...clienteBody(cliente),
        lineas: lineasBody(lineas),
        ...amounts,
        ...(revendedor_id && { revendedor_id }),
        ...(forma === 'al_entregar' && { contra_reembolso: true }),
        ...(forma === 'enlace' && free && { estado: 'pendiente_pago' as const }),
        ...(forma === 'pagado' && metodo && { pago: { metodo, fecha: pago_fecha || null } }),
      };
      void askDoubts(cliente, (doubts) => {
        asked.current = doubts;
        create.mutate({ body, headers: { 'idempotency-key': key.current } });
      });
    },
    (errors) => {
      const sentences = Object.values(errors);
      toast.error(missing && sentences.includes(required) ? missing : String(sentences[0]), { about: writeName(createPedido) });
      focusFirst(form, errors);
    },
  );

  return { form, submit, restart, ways, saving: create.isPending };
}
