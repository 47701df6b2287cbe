import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { getCliente } from '../../../contract/clientes/clientes.ts';
import type { Pedido } from '../../../contract/pedidos/pedidos.ts';
import type { Pack } from '../../../contract/products/products.ts';
import { listUsers } from '../../../contract/users/users.ts';
import { useApi } from '../../api.ts';
import { useSession } from '../../session/session.ts';
import { NumberField } from '../../ui/form/form-number.tsx';
import { Picker } from '../../ui/form/picker.tsx';
import { useUnsaved } from '../../ui/form/unsaved.ts';
import { showNumber } from '../../ui/format/format.ts';
import { PageHeader } from '../../ui/page/panel.tsx';
import { toast } from '../../ui/page/toast.tsx';
import { clienteFilled } from '../cliente/cliente-values.ts';
import { packProblem, usePacks } from '../lineas/pack-picker.tsx';
import { Cobrar } from './cobrar.tsx';
import { ContraReembolso } from './contra-reembolso.tsx';
import { CreatedDialog } from './created-dialog.tsx';
import type { NewPedidoValues } from './draft.ts';
import { NewPedido } from './new-pedido.tsx';
import { useCreate } from './use-create.ts';
import { WarningsPanel } from './warnings-panel.tsx';

export default function NewAdminPage() {
  const { contra_reembolso } = useSession();
  const navigate = useNavigate();
  const leave = () => void navigate({ to: '/pedidos' });
  const packs = usePacks();
  const { form, submit, complete, saving, created, another } = useNewAdmin(packs.packs, leave);
  useClienteGiven(form);
  const resellers = useApi(listUsers, { query: { role: 'revendedor' } });
  const resellerInput = form.getInputProps('revendedor_id');
  const active = (resellers.data?.data ?? []).filter(({ id, is_active }) => is_active || id === form.values.revendedor_id);

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
            {resellers.data?.data.length !== 0 && (
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
            )}
            <NumberField
              {...form.getInputProps('envio')}
              label="Envío (€)"
              // Placeholder: the amount used by default.
              placeholder={total && form.values.envio === '' ? showNumber(total.envio, 2) : 'Según la dirección'}
              decimals={2}
            />
            <NumberField {...form.getInputProps('descuento')} label="Descuento (€)" placeholder="0,00" decimals={2} />
            {contra_reembolso && (
              <ContraReembolso
                checked={form.values.contra_reembolso !== ''}
                onChange={(checked) => form.setValues({ contra_reembolso: checked ? 'si' : '', ...(checked && { cobrar: '' }) })}
                error={form.errors.contra_reembolso}
              />
            )}
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

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type Form = { getValues: () => NewPedidoValues; setValues: (values: Partial<NewPedidoValues>) => void };

/** Fills the form once with the customer from the address (`?cliente=…`) and the customer's reseller. */
function useClienteGiven(form: Form): void {
  const search: Partial<Record<string, unknown>> = useSearch({ strict: false });
  const clienteId = String(search.cliente ?? '');
  const wanted = UUID.test(clienteId);
  const { data } = useApi(getCliente, { params: { id: clienteId } }, { enabled: wanted });
  const filled = useRef<string>(undefined);
  useEffect(() => {
    if (!wanted || !data || filled.current === clienteId) return;
    filled.current = clienteId;
    form.setValues({ ...clienteFilled(form.getValues(), data.data), revendedor_id: data.data.revendedor_id ?? '' });
  }, [data, wanted, clienteId, form]);
}

const REQUIRED = 'Completa los campos obligatorios';

function useNewAdmin(packs: readonly Pack[] | undefined, leave: () => void) {
  // Set only for an order to pay by link, which stays on screen to share the link.
  const [created, setCreated] = useState<Pedido>();
  const create = useCreate({
    required: REQUIRED,
    packProblem: (id) => packProblem(packs, id, REQUIRED),
    success: 'Pedido creado correctamente',
    onCreated: (pedido) => {
      create.form.resetDirty();
      if (pedido.estado === 'pendiente_pago') setCreated(pedido);
      else leave();
    },
    onFailure: (error) => toast.failure(error, 'No se pudo crear el pedido'),
    list: 'la lista',
  });
  const { form } = create;
  // `isDirty()` alone does not notice added or removed lines.
  useUnsaved(() => form.isDirty('lineas') || form.isDirty());
  const { lineas, cliente_nombre, cliente_direccion } = form.values;
  const filled = lineas.every(({ libre, producto, pack_id }) => (libre ? producto.trim() : pack_id));
  const another = () => {
    setCreated(undefined);
    create.restart();
  };
  return { ...create, created, another, complete: filled && !!cliente_nombre.trim() && !!cliente_direccion.trim() };
}
