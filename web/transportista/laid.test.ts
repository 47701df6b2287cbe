import { expect, it } from 'vitest';
import { pedidoTransportista } from '../../contract/pedidos/schemas.ts';
import { act } from '../../test/web/acts.ts';
import { aPedido } from '../../test/web/samples.ts';
import { laidOver } from './laid.ts';

const onItsWay = pedidoTransportista.parse(aPedido({ estado: 'en_ruta', motivo: 'Ausente' }));
const laid = (body: Record<string, unknown>) => {
  const waiting = act('1', onItsWay.id, { body });
  return [laidOver([onItsWay], [waiting])[0], waiting.at] as const;
};

it('lays a delivery without PIN as delivered then, without a failed attempt', () => {
  const [row, at] = laid({ estado: 'completado', paso: 'completar', metodo_entrega: 'manual', motivo: 'No encuentra el PIN' });
  expect(row).toMatchObject({ estado: 'completado', motivo: null, fecha_completado: at, metodo_entrega: 'manual' });
});

it('lays a failed attempt with its reason', () => {
  const [row] = laid({ estado: 'asignado', paso: 'fallar', motivo: 'Rechazado' });
  expect(row).toMatchObject({ estado: 'asignado', motivo: 'Rechazado', fecha_completado: null });
});
