import { Alert, Button, Group, Paper, Text, Title } from '@mantine/core';
import { IconInfoCircle, IconMessage2 } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useEffectEvent, useId, useState } from 'react';
import type { Cliente } from '../../../contract/clientes/clientes.ts';
import { MAX_LINEAS } from '../../../contract/pedidos/fields.ts';
import { can } from '../../../contract/policy/policy.ts';
import { listPacks, listProducts, type Product, updateProduct } from '../../../contract/products/products.ts';
import { provinciaByPostcode } from '../../../contract/text/provincias.ts';
import { useApi, useMutate } from '../../api.ts';
import { useSession } from '../../session/session.ts';
import { readStored, storeLocally } from '../../stored.ts';
import { ErrorState } from '../../ui/list/loaded.tsx';
import { FoldButton } from '../../ui/page/fold-button.tsx';
import { isPhone } from '../../ui/page/use-phone.ts';
import ChatDialog, { type FromChat } from '../chat/chat-dialog.tsx';
import { ClienteFields, FURTHER } from '../cliente/cliente-fields.tsx';
import { EMPTY_CLIENTE } from '../cliente/cliente-values.ts';
import { LineasFields } from '../lineas/lineas-fields.tsx';
import type { usePacks } from '../lineas/pack-picker.tsx';
import { EMPTY_LINEA, isUntouched, orderedLines } from '../lineas/values.ts';
import { ComoPaga } from './como-paga.tsx';
import type { NewPedidoValues } from './draft.ts';
import { KnownCliente } from './known-cliente.tsx';
import { KnownSaid } from './known-said.tsx';
import classes from './new.module.css';
import { Summary, type SummaryProps } from './summary.tsx';
import type { useCreate } from './use-create.ts';
import { type Total, useTotal } from './use-total.ts';

type Props = Pick<ReturnType<typeof useCreate>, 'form' | 'saving' | 'ways'> &
  Pick<SummaryProps, 'submit' | 'disabled' | 'onCancel' | 'children'> & {
    onSubmit: ReturnType<typeof useCreate>['submit'];
    packs: ReturnType<typeof usePacks>;
    failure: string;
    /** Inputs that the page adds to «Más datos». */
    inputs?: (total: Total | undefined) => ReactNode;
    /** Name of the chosen reseller. */
    seller?: string | undefined;
  };

const FOLDED: readonly string[] = [...FURTHER, 'revendedor_id', 'envio', 'descuento'];

function furtherOf(values: NewPedidoValues, seller: string | undefined): string[] {
  const own = FURTHER.filter((name) => values[name] !== EMPTY_CLIENTE[name]).map((name) => values[name].trim());
  const amount = (label: string, typed: string) => typed && `${label}: ${typed} €`;
  return [seller ?? '', ...own, amount('Envío', values.envio), amount('Descuento', values.descuento)].filter(Boolean);
}

/** Form of a new order: customer, lines, further fields and summary. */
export function NewPedido({ form, onSubmit, packs: { packs, error, refetch }, failure, inputs, seller, ways, ...summary }: Props) {
  const free = can(useSession(), 'pedido:create-free');
  const ordered = orderedLines(form.values.lineas, packs);
  const total = useTotal(ordered, form.values);
  const [picked, setPicked] = useState<Cliente>();
  const [chat, setChat] = useState<'open' | 'closed'>();
  const focus = useEffectEvent(() => form.getInputNode('cliente_nombre')?.focus({ preventScroll: true }));
  useEffect(() => focus(), []);
  // The customer's reseller also determines the prices.
  const takeSeller = (cliente: Cliente) => {
    setPicked(cliente);
    if (free) form.setFieldValue('revendedor_id', cliente.revendedor_id ?? '');
    // With a known customer, only the pack is missing. On a phone the field would scroll «Lo mismo» away.
    if (!isPhone() && form.getValues().lineas.every(isUntouched)) form.getInputNode('lineas.0.pack_id')?.focus();
  };
  // Keeps the values of fields that the message does not contain.
  function fillIn({ items, ...fields }: FromChat) {
    const cliente_provincia = provinciaByPostcode(fields.cliente_codigo_postal, form.values.cliente_pais) ?? '';
    form.setValues(Object.fromEntries(Object.entries({ ...fields, cliente_provincia }).filter(([, value]) => value.trim())));
    const asked = items.map(({ pack_id, cantidad, words }, index) => ({
      ...EMPTY_LINEA,
      key: index + 1,
      pack_id,
      cantidad,
      // Named below the field until its pack is chosen.
      producto: pack_id ? '' : words,
    }));
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
          <KnownSaid form={form} packs={packs} picked={picked} />
          <ComoPaga form={form} ways={ways} />
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
        <Summary ordered={ordered} total={total} waits={ways.of(form.values) === 'enlace'} {...summary} />
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
