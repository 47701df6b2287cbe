import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconBox,
  IconCircleCheck,
  IconCircleX,
  IconCreditCard,
  IconTruckDelivery,
  IconUserCheck,
} from '@tabler/icons-react';
import type { TransitionName } from '../../../contract/pedidos/flow.ts';
import { isReversal, type ReversalName } from '../../../contract/pedidos/reversals.ts';

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

export const stepIcon = (name: TransitionName | ReversalName) => (isReversal(name) ? IconArrowBackUp : TRANSITION_ICON[name]);
