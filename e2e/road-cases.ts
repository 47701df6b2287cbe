import { closeOtherSessions } from '../contract/account/account.ts';
import { deletePedido, setEstado } from '../contract/pedidos/pedidos.ts';
import type { Arranger, Person } from './api.ts';
import { FAULTS, type Fault } from './road.ts';

/* Ten faults between a carrier's phone and the server. */

export type Case = {
  name: string;
  fault: Fault;
  /** Changes by other people during the fault. */
  meanwhile?: (scene: { api: Arranger; id: string; carrier: Person }) => Promise<unknown>;
  /** Expected outcome: the delivery is registered, or reported to the office as refused. */
  ends: 'done' | 'told';
  signsIn?: boolean;
};
export const CASES: readonly Case[] = [
  ...FAULTS.map((fault): Case => ({ name: fault, fault, ends: 'done' })),
  {
    name: 'session ended',
    fault: 'dead',
    meanwhile: async ({ api, carrier }) => (await api.as(carrier)).call(closeOtherSessions),
    ends: 'done',
    signsIn: true,
  },
  {
    name: 'order cancelled',
    fault: 'dead',
    meanwhile: ({ api, id }) => api.admin.call(setEstado, { params: { id }, body: { estado: 'cancelado' } }),
    ends: 'told',
  },
  { name: 'order deleted', fault: 'dead', meanwhile: ({ api, id }) => api.admin.call(deletePedido, { params: { id } }), ends: 'told' },
];
