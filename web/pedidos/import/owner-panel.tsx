import { Anchor, Checkbox, SimpleGrid } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { getInicio } from '../../../contract/payments/payments.ts';
import { listUsers } from '../../../contract/users/users.ts';
import { useApi } from '../../api.ts';
import { Picker } from '../../ui/form/picker.tsx';
import { Panel } from '../../ui/page/panel.tsx';
import type { Import } from './draft.ts';

type Props = { state: Import; onChange: (changes: Partial<Pick<Import, 'revendedor_id' | 'cobrar'>>) => void };

/** Reseller and payment of the orders; superadmins only. */
export function OwnerPanel({ state: { revendedor_id, cobrar }, onChange }: Props) {
  const resellers = useApi(listUsers, { query: { role: 'revendedor' } });
  const active = (resellers.data?.data ?? []).filter(({ is_active }) => is_active);
  return (
    <Panel title="Para todos los pedidos">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" style={{ alignItems: 'end' }}>
        <Picker
          label="Revendedor (opcional)"
          placeholder="Tienda"
          data={active.map(({ id, full_name }) => ({ value: id, label: full_name }))}
          value={revendedor_id || null}
          onChange={(value) => onChange({ revendedor_id: value ?? '' })}
          error={resellers.error?.message}
          clearable
          clearButtonProps={{ 'aria-label': 'Quitar el revendedor' }}
          nothingFoundMessage="Ningún revendedor se llama así"
        />
        <Cobrar
          description="Esperan el pago antes de repartirse; cada uno tendrá su enlace."
          checked={cobrar}
          onChange={(checked) => onChange({ cobrar: checked })}
        />
      </SimpleGrid>
    </Panel>
  );
}

type CobrarProps = { checked: boolean; onChange: (checked: boolean) => void; description: string };

/** «Cobrar con enlace»; disabled with the reason while the shop has neither an IBAN nor a payment gateway. */
function Cobrar({ checked, onChange, description }: CobrarProps) {
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
