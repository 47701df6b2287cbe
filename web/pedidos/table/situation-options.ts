import { SITUATION_IDS, type SituationId } from '../../../contract/pedidos/situations.ts';

/** What is the matter with the orders of a list; a situation that says no more than its estado is filtered by that. */
const LABEL: Partial<Record<SituationId, string>> = {
  rechazado: 'Rechazado en la puerta',
  espera_respuesta: 'Por decidir',
  transferencia_avisada: 'Dice que ha pagado',
  por_reembolsar: 'Dinero por devolver',
  en_empresa: 'Con una empresa de transporte',
  recoge: 'Lo recoge el cliente',
  atrasado: 'Atrasado',
  sin_volver: 'Salió otro día y no ha vuelto',
  aplazado: 'Pidió otro día',
  intento: 'Otro intento',
  cargado: 'Cargado',
  por_cobrar: 'Entregado y por cobrar',
  cobro_en_empresa: 'Cobrado por una empresa',
  mercancia: 'Vuelve mercancía',
  entregado_en_parte: 'Entregado en parte',
  cancelado_fuera: 'Cancelado y vuelve mercancía',
};
/** Values of the filter `situacion`. */
export const FILTERED = SITUATION_IDS.filter((id) => id !== 'eliminado');
export const SITUATION_OPTIONS = [
  { value: '', label: 'Qué pasa: todo' },
  ...FILTERED.flatMap((value) => (LABEL[value] ? [{ value, label: LABEL[value] }] : [])),
];
