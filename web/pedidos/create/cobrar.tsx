import { Anchor, Checkbox } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { getInicio } from '../../../contract/payments/payments.ts';
import { useApi } from '../../api.ts';

type Props = { checked: boolean; onChange: (checked: boolean) => void; description: string };

/** «Cobrar con enlace»; disabled with the reason while the shop has neither an IBAN nor a payment gateway. */
export function Cobrar({ checked, onChange, description }: Props) {
  const { data } = useApi(getInicio, {});
  const nowhere = data?.data.faltan.includes('cobro') ?? false;
  return (
    <Checkbox
      label="Cobrar con enlace"
      description={
        nowhere ? (
          <>
            Falta tu IBAN, o una pasarela de pago: el cliente no tendría dónde pagar.{' '}
            <Anchor inherit underline="always" renderRoot={(props) => <Link {...props} to="/configuracion" />}>
              Configuración
            </Anchor>
          </>
        ) : (
          description
        )
      }
      checked={checked && !nowhere}
      disabled={nowhere}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
