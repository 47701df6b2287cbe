import { Alert, Button, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { IconArrowLeft, IconBan, IconLink, IconPencil, IconPlus } from '@tabler/icons-react';
import { useCanGoBack, useNavigate, useParams, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { bloquearCliente, type Cliente, type ClienteEntero, getCliente } from '../../contract/clientes/clientes.ts';
import { MAX_MOTIVO_BLOQUEO } from '../../contract/clientes/fields.ts';
import { METADATA } from '../../contract/kit/fields.ts';
import { isWhole, listPedidos, type Pedido } from '../../contract/pedidos/pedidos.ts';
import { can } from '../../contract/policy/policy.ts';
import { addressLines } from '../../contract/text/address.ts';
import { plural } from '../../contract/text/plural.ts';
import { telephoneWords } from '../../contract/text/telephone.ts';
import { useApi, useMutate } from '../api.ts';
import { newKey } from '../keys.ts';
import { clienteFilled } from '../pedidos/cliente/cliente-values.ts';
import { SaidOfCliente } from '../pedidos/cliente/said.tsx';
import { EMPTY, storeDraft } from '../pedidos/create/draft.ts';
import { mayReplaceDraft } from '../pedidos/create/replace-draft.ts';
import { EstadoCell } from '../pedidos/table/matter.tsx';
import { orderAddress, PedidoLink } from '../pedidos/table/pedido-link.tsx';
import { useSession } from '../session/session.ts';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { ReasonForm, useReason } from '../ui/form/form-actions.tsx';
import { fecha, money, number } from '../ui/format/format.ts';
import { DataTable } from '../ui/list/data-table.tsx';
import entries from '../ui/list/entries.module.css';
import { useSearchState } from '../ui/list/filters.tsx';
import { EmptyState, Loaded } from '../ui/list/loaded.tsx';
import type { Column } from '../ui/list/table-props.ts';
import { MetadataList } from '../ui/page/metadata.tsx';
import { PageHeader, Panel, Section } from '../ui/page/panel.tsx';
import { StatCard } from '../ui/page/stat-card.tsx';
import classes from './cliente.module.css';
import { NotaDialog, type Noted, notedCliente } from './nota-dialog.tsx';
import { Unidos, UnirDialog } from './unir-dialog.tsx';

export default function ClientePage() {
  const { id = '' } = useParams({ strict: false });
  const query = useApi(getCliente, { params: { id } });
  return (
    <Stack gap="md" className={classes.page}>
      <Loaded
        query={query}
        failed="No se pudo cargar el cliente"
        waiting={
          <>
            <PageHeader title="Cliente" />
            <Skeleton h={420} role="status" aria-label="Cargando..." />
          </>
        }
      >
        {({ data }) => <Whole key={data.id} cliente={data} />}
      </Loaded>
    </Stack>
  );
}

type Open = 'nota' | 'bloquear' | 'unir';

function Whole({ cliente }: { cliente: ClienteEntero }) {
  const actor = useSession();
  const [open, setOpen] = useState<Open>();
  const [noted, setNoted] = useState<Noted>(notedCliente(cliente));
  const close = () => setOpen(undefined);
  const note = (of: Noted) => {
    setNoted(of);
    setOpen('nota');
  };
  const manages = can(actor, 'cliente:manage', cliente);
  const blocks = can(actor, 'cliente:block', cliente);
  return (
    <>
      <Header cliente={cliente} manages={manages} blocks={blocks} onOpen={setOpen} />
      {cliente.bloqueado_motivo !== null && <Blocked id={cliente.id} motivo={cliente.bloqueado_motivo} blocks={blocks} />}
      <SimpleGrid cols={2} spacing="sm">
        <StatCard label="Pedidos" value={number(cliente.pedidos)} hint={`El último, el ${fecha(cliente.ultimo_pedido)}`} />
        <StatCard label="Total" value={money(cliente.total)} hint="Sin los cancelados" />
      </SimpleGrid>
      <div className={classes.columns}>
        <Section title="Pedidos" mb="xs" className={classes.orders}>
          <PedidosDe id={cliente.id} />
        </Section>
        <Stack gap="md">
          <Nota cliente={cliente} onEdit={manages ? () => note(notedCliente(cliente)) : undefined} />
          <Direcciones direcciones={cliente.direcciones} />
          {cliente.metadata && (
            <Panel title={METADATA.label}>
              <MetadataList metadata={cliente.metadata} />
            </Panel>
          )}
          {cliente.unidos.length > 0 && <Unidos fichas={cliente.unidos} manages={manages} onNote={note} />}
        </Stack>
      </div>
      <NotaDialog of={noted} opened={open === 'nota'} onClose={close} />
      <BloquearDialog cliente={cliente} opened={open === 'bloquear'} onClose={close} />
      <UnirDialog cliente={cliente} opened={open === 'unir'} onClose={close} />
    </>
  );
}

type HeaderProps = { cliente: ClienteEntero; manages: boolean; blocks: boolean; onOpen: (dialog: Open) => void };

function Header({ cliente, manages, blocks, onOpen }: HeaderProps) {
  const order = useNewPedidoFor();
  return (
    <PageHeader
      title={cliente.cliente_nombre}
      subtitle={[
        telephoneWords(cliente.cliente_telefono),
        cliente.cliente_ciudad,
        cliente.cliente_nif && `NIF ${cliente.cliente_nif}`,
        blocks && (cliente.revendedor_nombre ? `Cliente de ${cliente.revendedor_nombre}` : 'Cliente de la tienda'),
      ]
        .filter(Boolean)
        .join(' · ')}
      actions={
        <>
          <Back />
          {blocks && cliente.bloqueado_motivo === null && (
            <Button variant="default" leftSection={<IconBan size={16} aria-hidden />} onClick={() => onOpen('bloquear')}>
              Bloquear
            </Button>
          )}
          {manages && (
            <Button variant="default" leftSection={<IconLink size={16} aria-hidden />} onClick={() => onOpen('unir')}>
              Unir con otro cliente
            </Button>
          )}
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => void order(cliente)}>
            Crear pedido
          </Button>
        </>
      }
    />
  );
}

function Blocked({ id, motivo, blocks }: { id: string; motivo: string; blocks: boolean }) {
  const unblock = useMutate(bloquearCliente, { failure: 'No se pudo desbloquear al cliente' });
  return (
    <Alert color="red" role="note" icon={<IconBan size={18} aria-hidden />} title="Cliente bloqueado">
      <Text>{motivo}</Text>
      {blocks && (
        <Button
          variant="default"
          size="xs"
          mt="xs"
          disabled={unblock.isPending}
          onClick={() => unblock.mutate({ params: { id }, body: { motivo: null } })}
        >
          Desbloquear
        </Button>
      )}
    </Alert>
  );
}

const Nota = ({ cliente, onEdit }: { cliente: ClienteEntero; onEdit: (() => void) | undefined }) => (
  <Panel
    title="Nota"
    aside={
      onEdit && (
        <Button variant="subtle" size="compact-sm" leftSection={<IconPencil size={16} aria-hidden />} onClick={onEdit}>
          Editar nota
        </Button>
      )
    }
  >
    {cliente.nota || cliente.avisar_antes ? (
      <SaidOfCliente nota={cliente.nota} avisar_antes={cliente.avisar_antes} label="" />
    ) : (
      <Text c="dimmed">Nada anotado todavía</Text>
    )}
  </Panel>
);

const Direcciones = ({ direcciones }: Pick<ClienteEntero, 'direcciones'>) => (
  <Panel title="Direcciones">
    {direcciones.length === 0 ? (
      <EmptyState title="Ninguna dirección" />
    ) : (
      <ul className={entries.list}>
        {direcciones.map((direccion) => {
          const lines = addressLines(direccion);
          return (
            <li key={lines.join()}>
              {lines.map((line) => (
                <Text key={line}>{line}</Text>
              ))}
              <Text variant="detail">
                {plural(direccion.pedidos, 'pedido')} · el último, el {fecha(direccion.ultimo_pedido)}
              </Text>
            </li>
          );
        })}
      </ul>
    )}
  </Panel>
);

function Back() {
  const router = useRouter();
  const canGoBack = useCanGoBack();
  const navigate = useNavigate();
  const go = () => (canGoBack ? router.history.back() : void navigate({ to: '/clientes' }));
  return (
    <Button variant="default" leftSection={<IconArrowLeft size={16} aria-hidden />} onClick={go}>
      Volver
    </Button>
  );
}

/** Opens the new order form for a customer; asks before replacing a reseller's draft. */
function useNewPedidoFor() {
  const actor = useSession();
  const navigate = useNavigate();
  return async (cliente: Cliente) => {
    if (can(actor, 'pedido:create-free')) return navigate({ to: '/pedidos/nuevo-admin', search: { cliente: cliente.id } });
    if (!(await mayReplaceDraft(actor.id))) return;
    storeDraft(actor.id, { key: newKey(), values: { ...EMPTY, ...clienteFilled(EMPTY, cliente) } });
    return navigate({ to: '/pedidos/nuevo' });
  };
}

type Props = { cliente: ClienteEntero; opened: boolean; onClose: () => void };

const BloquearDialog = ({ cliente, opened, onClose }: Props) => (
  <FormDialog opened={opened} onClose={onClose} title={`Bloquear a ${cliente.cliente_nombre}`} fillsPhone={false}>
    {(inDialog) => <BloquearForm cliente={cliente} onDone={onClose} {...inDialog} />}
  </FormDialog>
);

function BloquearForm({ cliente, onDone, ...inDialog }: Pick<Props, 'cliente'> & { onDone: () => void } & InDialog) {
  const form = useReason('Escribe el motivo');
  const block = useMutate(bloquearCliente, { form, failure: 'No se pudo bloquear al cliente', onSuccess: onDone });
  return (
    <ReasonForm
      {...inDialog}
      form={form}
      name="Bloquear cliente"
      maxLength={MAX_MOTIVO_BLOQUEO}
      submit="Bloquear"
      busy={block.isPending}
      onReason={(motivo) => block.mutate({ params: { id: cliente.id }, body: { motivo } })}
    >
      <Text>Los revendedores no podrán crear pedidos suyos y verán el motivo. Los que ya tiene siguen como están.</Text>
    </ReasonForm>
  );
}

const COLUMNS: Column<Pedido>[] = [
  { key: 'numero_orden', at: 'title', title: 'Pedido', width: 148, render: (p) => <PedidoLink pedido={p} /> },
  { key: 'producto', at: 'line', title: 'Producto', render: ({ producto }) => producto },
  { key: 'estado', at: 'aside', title: 'Estado', width: 150, render: (pedido) => <EstadoCell pedido={pedido} /> },
  { key: 'precio_total', at: 'line', title: 'Total', width: 104, align: 'right', render: ({ precio_total }) => money(precio_total) },
  { key: 'fecha_pedido', at: 'line', title: 'Fecha', width: 108, render: ({ fecha_pedido }) => fecha(fecha_pedido) },
];

function PedidosDe({ id }: { id: string }) {
  const { role } = useSession();
  const navigate = useNavigate();
  const [{ page }, set] = useSearchState({ page: 1 });
  const { data, error, isPlaceholderData, refetch } = useApi(listPedidos, { query: { cliente_id: id, page } }, { keepPrevious: true });
  return (
    <DataTable
      label="Pedidos del cliente"
      rows={data?.data.filter(isWhole)}
      busy={isPlaceholderData}
      columns={COLUMNS}
      onRow={(pedido) => void navigate(orderAddress(role, pedido.id))}
      pages={{ of: data, noun: 'pedidos', onPage: (next) => set({ page: next }) }}
      error={{ title: 'No se pudieron cargar los pedidos', cause: error, onRetry: () => void refetch() }}
      empty={{ title: 'No le queda ningún pedido', hint: 'Los que tenía se han eliminado.' }}
    />
  );
}
