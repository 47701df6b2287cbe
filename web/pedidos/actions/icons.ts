import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconBox,
  IconCalendarTime,
  IconCircleCheck,
  IconCircleX,
  IconCopy,
  IconCreditCard,
  IconEye,
  IconListDetails,
  IconPencil,
  IconPrinter,
  IconTag,
  IconTrash,
  IconTrashOff,
  IconTruckDelivery,
  IconUserCheck,
} from '@tabler/icons-react';
import { TRANSITIONS, type TransitionName } from '../../../contract/pedidos.flow.ts';
import type { Action } from './actions.ts';

export const TRANSITION_ICON: Record<TransitionName, typeof IconBox> = {
  pagar: IconCreditCard,
  asignar: IconUserCheck,
  tomar: IconUserCheck,
  preparar: IconBox,
  salir: IconTruckDelivery,
  completar: IconCircleCheck,
  fallar: IconAlertTriangle,
  volver: IconArrowBackUp,
  devolver: IconArrowBackUp,
  cancelar: IconCircleX,
};

const ICON: Record<Exclude<Action['kind'], 'estado'>, typeof IconEye> = {
  view: IconEye,
  edit: IconPencil,
  lineas: IconListDetails,
  postpone: IconCalendarTime,
  assign: TRANSITION_ICON.asignar,
  complete: TRANSITION_ICON.completar,
  print: IconPrinter,
  label: IconTag,
  duplicate: IconCopy,
  delete: IconTrash,
  restore: IconTrashOff,
};
export const iconOf = (action: Action) => (action.kind === 'estado' ? TRANSITION_ICON[action.name] : ICON[action.kind]);
/** Whether the action is destructive, and so red. */
export const isGrave = (action: Action) =>
  action.kind === 'delete' || (action.kind === 'estado' && TRANSITIONS[action.name].tone === 'danger');
