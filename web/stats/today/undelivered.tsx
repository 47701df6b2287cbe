import { Button } from '@mantine/core';
import { DIA_LABEL } from '../../../contract/pedidos/day.ts';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import { useAnswer } from '../../pedidos/actions/use-answer.tsx';
import { Line, type To, TodayMatter } from './lines.tsx';

/** Orders that wait for an answer, each with the usual answers. */
export function Undelivered({ pedidos, total, to }: { pedidos: readonly Pedido[]; total: number; to?: To }) {
  const { answersFor, ask, dialog } = useAnswer();
  return (
    <>
      <Line title={DIA_LABEL.decidir} count={total} to={total > pedidos.length ? to : undefined}>
        {pedidos.map((pedido, i) => (
          <TodayMatter
            key={pedido.id}
            words={[pedido.cliente_nombre, pedido.motivo].filter(Boolean).join(': ')}
            more={i === pedidos.length - 1 ? total - pedidos.length : 0}
            to={to}
          >
            {answersFor(pedido)
              .slice(0, 3)
              .map(({ respuesta, label }, at) => (
                <Button
                  key={respuesta}
                  size="compact-sm"
                  variant={at === 0 ? 'light' : 'default'}
                  aria-label={`${label}: ${pedido.cliente_nombre}`}
                  onClick={() => ask(pedido, respuesta)}
                >
                  {label}
                </Button>
              ))}
          </TodayMatter>
        ))}
      </Line>
      {dialog}
    </>
  );
}
