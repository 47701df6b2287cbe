import { Alert, Button, Group, Paper, Text, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconBan, IconInfoCircle, IconMessage2, IconUserCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useEffectEvent, useId, useState } from 'react';
import { type Cliente, listClientes } from '../../../contract/clientes/clientes.ts';
import { MAX_LINEAS, PEDIDO_FIELDS } from '../../../contract/pedidos/fields.ts';
import { can } from '../../../contract/policy/policy.ts';
import { listPacks, listProducts, type Product, updateProduct } from '../../../contract/products/products.ts';
import { provinciaByPostcode } from '../../../contract/text/provincias.ts';
import { isMadeUp, telephoneDigits } from '../../../contract/text/telephone.ts';
import { useApi, useMutate } from '../../api.ts';
import { useSession } from '../../session/session.ts';
import { readStored, storeLocally } from '../../stored.ts';
import { ErrorState } from '../../ui/list/loaded.tsx';
import { plain } from '../../ui/list/local-list.ts';
import { FoldButton } from '../../ui/page/fold-button.tsx';
import ChatDialog, { type FromChat } from '../chat/chat-dialog.tsx';
import { ClienteFields, FURTHER } from '../cliente/cliente-fields.tsx';
import { type ClienteValues, EMPTY_CLIENTE } from '../cliente/cliente-values.ts';
import { SaidOfCliente } from '../cliente/said.tsx';
import { LineasFields } from '../lineas/lineas-fields.tsx';
import type { usePacks } from '../lineas/pack-picker.tsx';
import { EMPTY_LINEA, isUntouched, orderedLines } from '../lineas/values.ts';
import type { NewPedidoValues } from './draft.ts';
import { KnownCliente } from './known-cliente.tsx';
import classes from './new.module.css';
import { Summary, type SummaryProps } from './summary.tsx';
import type { useCreate } from './use-create.ts';
import { type Total, useTotal } from './use-total.ts';

type Props = Pick<ReturnType<typeof useCreate>, 'form' | 'saving'> &
  Pick<SummaryProps, 'submit' | 'disabled' | 'onCancel' | 'children'> & {
    onSubmit: ReturnType<typeof useCreate>['submit'];
    packs: ReturnType<typeof usePacks>;
    failure: string;
    /** Inputs that the page adds to «Más datos». */
    inputs?: (total: Total | undefined) => ReactNode;
    /** Name of the chosen reseller. */
    seller?: string | undefined;
  };

const FOLDED: readonly string[] = [...FURTHER, 'revendedor_id', 'envio', 'descuento', 'contra_reembolso', 'cobrar'];

function furtherOf(values: NewPedidoValues, seller: string | undefined): string[] {
  const own = FURTHER.filter((name) => values[name] !== EMPTY_CLIENTE[name]).map((name) => values[name].trim());
  const amount = (label: string, typed: string) => typed && `${label}: ${typed} €`;
  return [
    seller ?? '',
    ...own,
    amount('Envío', values.envio),
    amount('Descuento', values.descuento),
    values.contra_reembolso && PEDIDO_FIELDS.contra_reembolso.label,
    values.cobrar && 'Cobrar con enlace',
  ].filter(Boolean);
}

/** Form of a new order: customer, lines, further fields and summary. */
export function NewPedido({ form, onSubmit, packs: { packs, error, refetch }, failure, inputs, seller, ...summary }: Props) {
  const free = can(useSession(), 'pedido:create-free');
  const ordered = orderedLines(form.values.lineas, packs);
  const total = useTotal(ordered, form.values);
  const [chat, setChat] = useState<'open' | 'closed'>();
  const focus = useEffectEvent(() => form.getInputNode('cliente_nombre')?.focus({ preventScroll: true }));
  useEffect(() => focus(), []);
  // The customer's reseller also determines the prices.
  const takeSeller = ({ revendedor_id }: Cliente) => {
    if (free) form.setFieldValue('revendedor_id', revendedor_id ?? '');
    // With a known customer, only the pack is missing.
    if (form.getValues().lineas.every(isUntouched)) form.getInputNode('lineas.0.pack_id')?.focus();
  };
  // Keeps the values of fields that the message does not contain.
  function fillIn({ items, ...fields }: FromChat) {
    const cliente_provincia = provinciaByPostcode(fields.cliente_codigo_postal, form.values.cliente_pais) ?? '';
    form.setValues(Object.fromEntries(Object.entries({ ...fields, cliente_provincia }).filter(([, value]) => value.trim())));
    const asked = items.map(({ pack_id, cantidad }, index) => ({ ...EMPTY_LINEA, key: index + 1, pack_id, cantidad }));
    if (asked.length > 0 && form.values.lineas.every(isUntouched)) form.setFieldValue('lineas', asked.slice(0, MAX_LINEAS));
    setChat('closed');
  }
  return (
    <>
      <form onSubmit={onSubmit} noValidate className={classes.layout} aria-label={summary.submit}>
        <Paper p="md" component="section" aria-labelledby="cliente" className={classes.cliente}>
          <Group justify="space-between" mb="sm">
            <Title order={2} id="cliente">
              Datos del Cliente
            </Title>
            <Button
              variant="subtle"
              size="compact-sm"
              leftSection={<IconMessage2 size={16} stroke={1.8} aria-hidden />}
              onClick={() => setChat('open')}
            >
              Pegar de un chat
            </Button>
          </Group>
          <ClienteFields form={form} part="first" Finder={KnownCliente} onPick={takeSeller} />
          <KnownSaid values={form.values} />
        </Paper>
        <Paper p="md" component="section" aria-labelledby="pack" className={classes.pack}>
          <Title order={2} id="pack" mb="sm">
            Selección de Pack
          </Title>
          {error && !packs ? (
            <ErrorState title={failure} error={error} onRetry={() => void refetch()} />
          ) : (
            <>
              {packs?.length === 0 && <NothingToSell />}
              <LineasFields form={form} packs={packs} free={free} />
            </>
          )}
        </Paper>
        <MoreFields filled={furtherOf(form.values, seller)} wanted={Object.keys(form.errors).some((name) => FOLDED.includes(name))}>
          <ClienteFields form={form} part="further" />
          {inputs && <div className={classes.inputs}>{inputs(total)}</div>}
        </MoreFields>
        <Summary ordered={ordered} total={total} {...summary} />
      </form>
      {/* Outside the form: the dialog's own form would bubble its events to the outer form. */}
      {chat && <ChatDialog opened={chat === 'open'} packs={packs} onClose={() => setChat('closed')} onAccept={fillIn} />}
    </>
  );
}

/** Reason why no pack can be chosen. Offers the remedy to people who may manage products. */
const NothingToSell = () =>
  can(useSession(), 'product:manage') ? <WayOut /> : <Reason sentence="Ahora no hay nada a la venta: avisa a la tienda." />;

function WayOut() {
  const { data: products } = useApi(listProducts, {});
  const { data: packs } = useApi(listPacks, {});
  if (!products || !packs) return null;
  const packed = products.data.filter(({ id }) => packs.data.some((pack) => pack.product_id === id && pack.is_active));
  const asleep = packed.find(({ is_active }) => !is_active);
  if (asleep) return <Reason sentence={`El producto «${asleep.name}» está inactivo, y por eso no se vende.`} product={asleep} />;
  if (products.data.length === 0) return <Reason sentence="Todavía no hay productos." link="Crea tu primer producto" />;
  if (packs.data.length > 0) return <Reason sentence="Los packs están inactivos." link="Activa un pack" />;
  return <Reason sentence="Los productos todavía no tienen packs, que es lo que se vende." link="Crea un pack" />;
}

function Reason({ sentence, link, product }: { sentence: string; link?: string; product?: Product }) {
  const activate = useMutate(updateProduct, { success: 'Producto actualizado', failure: 'No se pudo actualizar el producto' });
  return (
    <Alert color="orange" role="note" p="xs" mb="sm" icon={<IconInfoCircle size={18} aria-hidden />}>
      <Group>
        {sentence}
        {product && (
          <Button
            size="compact-sm"
            disabled={activate.isPending}
            onClick={() => activate.mutate({ params: { id: product.id }, body: { is_active: true, version: product.version } })}
          >
            Activarlo
          </Button>
        )}
        {link && (
          <Button component={Link} to="/control-stock" size="compact-sm">
            {link}
          </Button>
        )}
      </Group>
    </Alert>
  );
}

const KEPT = 'mas-datos';
const read = () => readStored(KEPT) === 'abierto';

type MoreFieldsProps = {
  /** Filled-in fields, in words, shown while the section is folded. */
  filled: readonly string[];
  /** Opens the section, because one of its fields needs attention. */
  wanted: boolean;
  children: ReactNode;
};

/** «Más datos»: the fields that few orders need. The browser remembers whether the section is open. */
function MoreFields({ filled, wanted, children }: MoreFieldsProps) {
  const [kept, setKept] = useState(read);
  const open = kept || wanted;
  const id = useId();
  function toggle() {
    setKept(!open);
    storeLocally(KEPT, open ? 'cerrado' : 'abierto');
  }
  return (
    <Paper p="md" className={classes.more}>
      <Group>
        <FoldButton label="Más datos" open={open} controls={id} onClick={toggle} />
        {!open && (
          <Text c="dimmed" flex={1} miw={0} style={{ overflowWrap: 'anywhere' }}>
            {filled.join(' · ')}
          </Text>
        )}
      </Group>
      <div id={id} hidden={!open}>
        {open && <div className={classes.further}>{children}</div>}
      </div>
    </Paper>
  );
}

const DEBOUNCE = 400;
/** Number of digits of a complete phone number. */
const SHOWN = 8;

const oneOf = (text: string) => plain(text.trim().replace(/\s+/g, ' '));

/** Known customer that matches the form: by phone, else by name and postcode. */
function useKnown(values: ClienteValues & { revendedor_id: string }): Cliente | undefined {
  const actor = useSession();
  const seller = can(actor, 'pedido:create-free') ? values.revendedor_id || null : actor.id;
  const digits = telephoneDigits(values.cliente_telefono, values.cliente_pais);
  const postcode = values.cliente_codigo_postal.trim();
  const byPhone = !isMadeUp(digits);
  const [search] = useDebouncedValue(byPhone ? digits : postcode ? values.cliente_nombre.trim().slice(0, 100) : '', DEBOUNCE);
  const { data } = useApi(listClientes, { query: { search, per_page: SHOWN } }, { enabled: search.length >= 3, staleTime: 10_000 });
  const isIt = ({ cliente_nombre, cliente_telefono, cliente_codigo_postal, cliente_pais }: Cliente) =>
    byPhone
      ? telephoneDigits(cliente_telefono, cliente_pais) === digits
      : !!postcode && cliente_codigo_postal === postcode && oneOf(cliente_nombre) === oneOf(values.cliente_nombre);
  // Each reseller has their own customers, so customers of other resellers do not count.
  return search ? data?.data.find((cliente) => cliente.revendedor_id === seller && isIt(cliente)) : undefined;
}

/** Note about the known customer of a new order, and whether the customer is blocked. */
function KnownSaid({ values }: { values: ClienteValues & { revendedor_id: string } }) {
  const actor = useSession();
  const known = useKnown(values);
  const { nota, avisar_antes, bloqueado_motivo } = known ?? {};
  return (
    <div aria-live="polite">
      {bloqueado_motivo && (
        <Alert color="red" role="note" p="xs" mt="sm" icon={<IconBan size={18} aria-hidden />} title="Cliente bloqueado">
          <Text>{bloqueado_motivo}</Text>
          <Text>
            {can(actor, 'cliente:block', { revendedor_id: null })
              ? 'Aun así, tú puedes crear el pedido.'
              : 'No puedes crear pedidos suyos.'}
          </Text>
        </Alert>
      )}
      {(nota || avisar_antes) && (
        <Alert color="accent" role="note" p="xs" mt="sm" icon={<IconUserCheck size={18} aria-hidden />} title="Cliente conocido">
          <SaidOfCliente nota={nota} avisar_antes={avisar_antes} label="Nota" />
        </Alert>
      )}
    </div>
  );
}
