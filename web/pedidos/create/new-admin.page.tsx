import '@mantine/core/styles/List.css';
import { Alert, Anchor, List } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { getCliente } from '../../../contract/clientes/clientes.ts';
import { isSameCliente, orderDoubts } from '../../../contract/doubts/doubts.ts';
import { type Provinces, postcodePrefix } from '../../../contract/doubts/towns.ts';
import { ESTADO } from '../../../contract/pedidos/estados.ts';
import { assignTransportista, isWhole, listPedidos, type Pedido } from '../../../contract/pedidos/pedidos.ts';
import type { Pack } from '../../../contract/products/products.ts';
import { typedPostcode } from '../../../contract/text/country.ts';
import { isMadeUp, telephoneDigits } from '../../../contract/text/telephone.ts';
import { listUsers } from '../../../contract/users/users.ts';
import { call, useApi, useMutate } from '../../api.ts';
import { useSession } from '../../session/session.ts';
import { presetRange } from '../../ui/form/date-range.presets.ts';
import { NumberField } from '../../ui/form/form-number.tsx';
import { Picker } from '../../ui/form/picker.tsx';
import { fecha, showNumber, today } from '../../ui/format/format.ts';
import { TIME_TO_UNDO, toast } from '../../ui/page/toast.tsx';
import { type ClienteValues, clienteFilled } from '../cliente/cliente-values.ts';
import { loadProvinces } from '../cliente/poblaciones.ts';
import { packProblem, usePacks } from '../lineas/pack-picker.tsx';
import { CreatedDialog } from './created-dialog.tsx';
import { EMPTY, type NewPedidoValues, readDraft, storeDraft } from './draft.ts';
import { DraftHeader } from './draft-header.tsx';
import { NewPedido } from './new-pedido.tsx';
import { useCreate } from './use-create.ts';

export default function NewAdminPage() {
  const navigate = useNavigate();
  const leave = () => void navigate({ to: '/pedidos' });
  const packs = usePacks();
  const clienteId = useClienteId();
  const { form, submit, ways, complete, saving, created, another, restored } = useNewAdmin(packs.packs, leave, clienteId);
  useClienteGiven(form, clienteId);
  const resellers = useApi(listUsers, { query: { role: 'revendedor' } });
  const resellerInput = form.getInputProps('revendedor_id');
  const active = (resellers.data?.data ?? []).filter(({ id, is_active }) => is_active || id === form.values.revendedor_id);

  return (
    <>
      <DraftHeader title="Crear pedido" draft={restored} values={form.values} saving={saving} onDiscard={another} />
      <NewPedido
        form={form}
        onSubmit={submit}
        saving={saving}
        ways={ways}
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
                placeholder="Tienda"
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

/** Customer of the address (`?cliente=…`); empty without one. */
function useClienteId(): string {
  const search: Partial<Record<string, unknown>> = useSearch({ strict: false });
  const id = String(search.cliente ?? '');
  return UUID.test(id) ? id : '';
}

/** Fills the form once with the customer from the address and the customer's reseller. */
function useClienteGiven(form: Form, clienteId: string): void {
  const wanted = clienteId !== '';
  const { data } = useApi(getCliente, { params: { id: clienteId } }, { enabled: wanted });
  const filled = useRef<string>(undefined);
  useEffect(() => {
    if (!wanted || !data || filled.current === clienteId) return;
    filled.current = clienteId;
    form.setValues({ ...clienteFilled(form.getValues(), data.data), revendedor_id: data.data.revendedor_id ?? '' });
  }, [data, wanted, clienteId, form]);
}

const REQUIRED = 'Completa los campos obligatorios';

function useNewAdmin(packs: readonly Pack[] | undefined, leave: () => void, clienteId: string) {
  // A draft of its own for each customer that a link names, so that neither replaces the other.
  const owner = `${useSession().id}-oficina${clienteId && `-${clienteId}`}`;
  const [draft] = useState(() => readDraft(owner));
  const offerCarrier = useOnlyCarrier();
  // Set only for an order to pay by link, which stays on screen to share the link.
  const [created, setCreated] = useState<Pedido>();
  const create = useCreate({
    draft,
    storeDraft: (changed) => storeDraft(owner, changed),
    required: REQUIRED,
    packProblem: (id) => packProblem(packs, id, REQUIRED),
    success: 'Pedido creado correctamente',
    onCreated: (pedido) => {
      storeDraft(owner, { key: '', values: EMPTY });
      if (pedido.estado === 'pendiente_pago') return setCreated(pedido);
      leave();
      void offerCarrier(pedido);
    },
    onFailure: (error) => toast.failure(error, 'No se pudo crear el pedido'),
    list: 'la lista',
  });
  const { form } = create;
  const { lineas, cliente_nombre, cliente_direccion } = form.values;
  const filled = lineas.every(({ libre, producto, pack_id }) => (libre ? producto.trim() : pack_id));
  const another = () => {
    setCreated(undefined);
    create.restart();
  };
  return { ...create, restored: draft, created, another, complete: filled && !!cliente_nombre.trim() && !!cliente_direccion.trim() };
}

/** Offers a new order to the carrier of a shop that has only one. */
function useOnlyCarrier(): (pedido: Pedido) => Promise<void> {
  const assign = useMutate(assignTransportista, { failure: 'No se pudo asignar el transportista' });
  return async ({ id }) => {
    const { data } = await call(listUsers, { query: { role: 'transportista' } }).catch(() => ({ data: [] }));
    const [only, other] = data.filter(({ is_active }) => is_active);
    if (!only || other) return;
    const onClick = () => assign.mutate({ params: { id }, body: { transportista_id: only.id } });
    toast.info(`¿Lo lleva ${only.full_name}?`, { action: { label: 'Dárselo', onClick }, autoClose: TIME_TO_UNDO });
  };
}

/** Towns of the postcode's province, by its prefix; empty while loading. */
function useProvinces({ cliente_codigo_postal, cliente_pais }: ClienteValues): Provinces {
  const [found, setFound] = useState<Provinces>(new Map());
  const prefix = postcodePrefix(cliente_codigo_postal, cliente_pais);
  useEffect(() => void (prefix && loadProvinces([prefix]).then(setFound)), [prefix]);
  return found;
}

/** What will be asked when the order is created, and possible duplicates; warnings never block. */
function WarningsPanel({ values }: { values: ClienteValues }) {
  const duplicates = useDuplicates(values);
  const doubts = orderDoubts(values, { provinces: useProvinces(values) });
  // An incomplete postcode is still being typed.
  const whole = typedPostcode(values.cliente_codigo_postal).length >= 5;
  const odd = doubts.filter(({ id }) => whole || id !== 'codigo_postal');
  return (
    <div aria-live="polite">
      {(odd.length > 0 || duplicates.length > 0) && (
        <Alert color="orange" role="note" p="xs" mb="sm" icon={<IconAlertTriangle size={18} />} title="Revisa antes de crear">
          <List size="sm" spacing={4} listStyleType="none">
            {odd.map(({ id, frase }) => (
              <List.Item key={id}>{frase}</List.Item>
            ))}
            {duplicates.map(({ id, numero_orden, fecha_pedido, estado }) => (
              <List.Item key={id}>
                Puede ser el mismo que{' '}
                <Anchor
                  size="sm"
                  underline="always"
                  renderRoot={(props) => <Link {...props} to="/pedidos/$id" params={{ id }} target="_blank" />}
                >
                  {numero_orden}
                </Anchor>
                , del {fecha(fecha_pedido)} ({ESTADO[estado].label}).
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </div>
  );
}

/** Possible duplicates from the last seven days: same phone, or same name and address. */
function useDuplicates(values: ClienteValues): Pedido[] {
  const phone = telephoneDigits(values.cliente_telefono);
  const byPhone = useRecent(isMadeUp(phone) ? '' : phone);
  const byName = useRecent(values.cliente_direccion.trim() ? values.cliente_nombre.trim() : '');
  const found = [...byPhone, ...byName].filter((pedido) => pedido.estado !== 'cancelado' && isSameCliente(values, pedido));
  return [...new Map(found.map((pedido) => [pedido.id, pedido])).values()];
}

function useRecent(typed: string): Pedido[] {
  const [search] = useDebouncedValue(typed.slice(0, 100), 400);
  const { from: fecha_desde } = presetRange('ultimos-7-dias', today());
  const { data } = useApi(
    listPedidos,
    { query: { search, fecha_desde, per_page: 50 } },
    { enabled: search.length >= 3, staleTime: 30_000 },
  );
  return data?.data.filter(isWhole) ?? [];
}
