import {
  IconArrowBackUp,
  IconArrowsSplit2,
  IconBrandWhatsapp,
  IconCalendarTime,
  IconCopy,
  IconEye,
  IconFileImport,
  IconListDetails,
  IconMessageReply,
  IconPackageExport,
  IconPackageImport,
  IconPencil,
  IconPrinter,
  IconTag,
  IconTrash,
  IconTrashOff,
} from '@tabler/icons-react';
import { TRANSITIONS } from '../../../contract/pedidos/flow.ts';
import type { Action } from './actions.ts';
import { TRANSITION_ICON } from './icons.ts';

const ICON: Record<Exclude<Action['kind'], 'estado'>, typeof IconEye> = {
  view: IconEye,
  edit: IconPencil,
  lineas: IconListDetails,
  postpone: IconCalendarTime,
  assign: TRANSITION_ICON.asignar,
  complete: TRANSITION_ICON.completar,
  pay: TRANSITION_ICON.pagar,
  separate: IconArrowsSplit2,
  print: IconPrinter,
  label: IconTag,
  duplicate: IconCopy,
  delete: IconTrash,
  restore: IconTrashOff,
  undo: IconArrowBackUp,
  answer: IconMessageReply,
  receive: IconPackageImport,
  takeOut: IconPackageExport,
  readAnswer: IconFileImport,
  askPay: IconBrandWhatsapp,
};
export const actionIcon = (action: Action) => (action.kind === 'estado' ? TRANSITION_ICON[action.name] : ICON[action.kind]);
/** True for a destructive action, which is shown in red. */
export const isGrave = (action: Action) =>
  action.kind === 'delete' || (action.kind === 'estado' && TRANSITIONS[action.name].tone === 'danger');
