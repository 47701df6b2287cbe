import { Checkbox } from '@mantine/core';
import type { ReactNode } from 'react';
import { PEDIDO_FIELDS } from '../../../contract/pedidos/fields.ts';
import { useSession } from '../../session/session.ts';

type Props = { checked: boolean; onChange: (checked: boolean) => void; error?: ReactNode };

/** «Contra reembolso»; not rendered for people who may not sell orders paid on delivery. */
export function ContraReembolso({ checked, onChange, error }: Props) {
  if (!useSession().contra_reembolso) return null;
  return (
    <Checkbox
      label={PEDIDO_FIELDS.contra_reembolso.label}
      description="Sale a reparto sin pagar: el cliente paga al transportista al recibirlo."
      checked={checked}
      error={error}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
