import { useState } from 'react';
import { RESPUESTA_LABEL, RESPUESTAS, type Respuesta } from '../../../contract/pedidos/attempts.ts';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { can } from '../../../contract/policy/policy.ts';
import { useSession } from '../../session/session.ts';
import AnswerDialog from './answer-dialog.tsx';

/** Answers that the person may give for an order after failed attempts, `ask` to open the form of one of them, and the form. */
export function useAnswer() {
  const actor = useSession();
  const [asked, setAsked] = useState<{ pedido: Pedido; respuesta: Respuesta; opened: boolean }>();
  const answersFor = (pedido: Pedido) =>
    RESPUESTAS.filter((respuesta) => respuesta !== 'devolucion' || can(actor, 'paso:cancelar', pedido)).map((respuesta) => ({
      respuesta,
      label: RESPUESTA_LABEL[respuesta],
    }));
  return {
    answersFor,
    ask: (pedido: Pedido, respuesta: Respuesta) => setAsked({ pedido, respuesta, opened: true }),
    dialog: asked && (
      <AnswerDialog
        pedido={asked.opened ? asked.pedido : undefined}
        respuesta={asked.respuesta}
        onClose={() => setAsked({ ...asked, opened: false })}
      />
    ),
  };
}
