import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { listUsers } from '../../../contract/users/users.ts';
import { useApi } from '../../api.ts';
import { NumberField } from '../../ui/form/form-number.tsx';
import { Picker } from '../../ui/form/picker.tsx';
import { showNumber } from '../../ui/format/numbers.ts';
import { PageHeader } from '../../ui/page/page-header.tsx';
import { usePacks } from '../lineas/pack-picker.tsx';
import { Cobrar } from './cobrar.tsx';
import { CreatedDialog } from './created-dialog.tsx';
import { NewPedido } from './new-pedido.tsx';
import { Reembolso } from './reembolso.tsx';
import { useClienteGiven } from './use-cliente-given.ts';
import { useNewAdmin } from './use-new-admin.ts';
import { WarningsPanel } from './warnings-panel.tsx';

/** Page where a superadmin creates an order (specification, section 2.9). */
export default function NewAdminPage() {
  const navigate = useNavigate();
  const leave = () => void navigate({ to: '/pedidos' });
  const packs = usePacks();
  const { form, submit, complete, saving, created, another } = useNewAdmin(packs.packs, leave);
  useClienteGiven(form);
  const resellers = useApi(listUsers, { query: { role: 'revendedor' } });
  const resellerInput = form.getInputProps('revendedor_id');
  const active = (resellers.data?.data ?? []).filter(({ id, is_active }) => is_active || id === form.values.revendedor_id);
  const focus = useEffectEvent(() => form.getInputNode('cliente_nombre')?.focus({ preventScroll: true }));
  useEffect(() => focus(), []);

  return (
    <>
      <PageHeader title="Crear pedido" />
      <NewPedido
        form={form}
        onSubmit={submit}
        saving={saving}
        submit="Crear pedido"
        disabled={!complete || !packs.packs}
        onCancel={leave}
        packs={packs}
        seller={active.find(({ id }) => id === form.values.revendedor_id)?.full_name}
        failure="No se pudieron cargar datos iniciales"
        inputs={(total) => (
          <>
            <Picker
              {...resellerInput}
              label="Revendedor (opcional)"
              placeholder="Sin revendedor"
              data={active.map(({ id, full_name }) => ({ value: id, label: full_name }))}
              value={form.values.revendedor_id || null}
              onChange={(value) => resellerInput.onChange(value ?? '')}
              error={resellerInput.error ?? resellers.error?.message}
              clearable
              clearButtonProps={{ 'aria-label': 'Quitar el revendedor' }}
              nothingFoundMessage="Ningún revendedor se llama así"
            />
            <NumberField
              {...form.getInputProps('envio')}
              label="Envío (€)"
              // Placeholder: the amount used by default.
              placeholder={total && form.values.envio === '' ? showNumber(total.envio, 2) : 'Según la dirección'}
              decimals={2}
            />
            <NumberField {...form.getInputProps('descuento')} label="Descuento (€)" placeholder="0,00" decimals={2} />
            <Reembolso
              checked={form.values.contra_reembolso !== ''}
              onChange={(checked) => form.setValues({ contra_reembolso: checked ? 'si' : '', ...(checked && { cobrar: '' }) })}
              error={form.errors.contra_reembolso}
            />
            <Cobrar
              description="Espera el pago antes de repartirse, y tendrás un enlace para enviárselo al cliente."
              checked={form.values.cobrar !== ''}
              onChange={(checked) => form.setValues({ cobrar: checked ? 'si' : '', ...(checked && { contra_reembolso: '' }) })}
            />
          </>
        )}
      >
        {/* Hidden once created: the order would be listed as its own duplicate. */}
        {!created && <WarningsPanel values={form.values} />}
      </NewPedido>
      <CreatedDialog pedido={created} onClose={another} />
    </>
  );
}
