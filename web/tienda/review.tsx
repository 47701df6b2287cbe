import { Button, Group, NumberInput, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useImperativeHandle, useState } from 'react';
import {
  aplicarTienda,
  corregirTienda,
  descartarTienda,
  listIlegibles,
  listTienda,
  type PedidoTienda,
  reintentarTienda,
  verIlegible,
} from '../../contract/tienda/tienda.ts';
import { useApi, useMutate } from '../api.ts';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { FormActions, onValid, ReasonForm, useReason } from '../ui/form/form-actions.tsx';
import { fechaHora, money } from '../ui/format/format.ts';
import { DataTable } from '../ui/list/data-table.tsx';
import { useSearchState } from '../ui/list/filters.tsx';
import type { Column } from '../ui/list/table-props.ts';
import { Section } from '../ui/page/panel.tsx';
import { Waits } from './waits.tsx';
import '@mantine/core/styles/NumberInput.css';
import { useForm } from '@mantine/form';
import { EDITABLE_FIELDS, pedidoField } from '../../contract/pedidos/fields.ts';
import { PackPicker, usePacks } from '../pedidos/lineas/pack-picker.tsx';

type Acting = { pedido: PedidoTienda; onCorrect: (pedido: PedidoTienda) => void; onDiscard: (pedido: PedidoTienda) => void };

function Acts({ pedido, onCorrect, onDiscard }: Acting) {
  const dismiss = useMutate(descartarTienda, { failure: 'No se pudo marcar como visto' });
  const retry = useMutate(reintentarTienda, { failure: 'No se pudo leer otra vez' });
  const apply = useMutate(aplicarTienda, { failure: 'No se pudo aplicar' });
  const target = { params: { id: pedido.id } };
  const waits = pedido.estado === 'por_revisar';
  return (
    <Group gap="xs" justify="flex-end">
      {pedido.aplicable && (
        <Button
          size="xs"
          variant="light"
          aria-label={`Aplicar: pedido ${pedido.numero}`}
          onClick={() => apply.mutate(target)}
          loading={apply.isPending}
        >
          Aplicar
        </Button>
      )}
      {waits && Object.keys(pedido.campos).length > 0 && (
        <Button size="xs" variant="light" aria-label={`Corregir el pedido ${pedido.numero}`} onClick={() => onCorrect(pedido)}>
          Corregir
        </Button>
      )}
      {waits && (
        <Button
          size="xs"
          variant="light"
          aria-label={`Reintentar el pedido ${pedido.numero}`}
          onClick={() => retry.mutate(target)}
          loading={retry.isPending}
        >
          Reintentar
        </Button>
      )}
      <Button
        size="xs"
        variant="default"
        aria-label={`${waits ? 'Descartar' : 'Visto'}: pedido ${pedido.numero}`}
        onClick={() => (waits ? onDiscard(pedido) : dismiss.mutate(target))}
        loading={dismiss.isPending}
      >
        {waits ? 'Descartar' : 'Visto'}
      </Button>
    </Group>
  );
}

const columnsOf = (acts: Omit<Acting, 'pedido'>): Column<PedidoTienda>[] => [
  {
    key: 'numero',
    title: 'Pedido',
    width: 140,
    render: ({ numero, tienda, recibido_at }) => (
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {numero}
        <Text span size="xs" display="block" c="dimmed">
          {tienda}
        </Text>
        <Text span size="xs" display="block" c="dimmed">
          {fechaHora(recibido_at)}
        </Text>
      </Text>
    ),
  },
  { key: 'cliente', title: 'Cliente', width: 140, render: ({ cliente }) => cliente ?? '—' },
  { key: 'total', title: 'Total', width: 95, align: 'right', render: ({ total }) => (total === null ? '—' : money(total)) },
  { key: 'motivo', title: 'Qué falta', render: (pedido) => <Waits pedido={pedido} /> },
  { key: 'acciones', title: 'Acciones', width: 325, align: 'right', render: (pedido) => <Acts pedido={pedido} {...acts} /> },
];

/** Orders of the web shops that need a person's decision, and messages that could not be read. */
export function Review() {
  const [{ page }, set] = useSearchState({ page: 1 });
  const { data, error, isPlaceholderData, refetch } = useApi(listTienda, { query: { page } }, { keepPrevious: true });
  const [correcting, setCorrecting] = useState<PedidoTienda>();
  const [discarding, setDiscarding] = useState<PedidoTienda>();
  const acts = { onCorrect: setCorrecting, onDiscard: setDiscarding };
  return (
    <Stack gap="lg">
      <DataTable
        label="Pedidos de la tienda por revisar"
        rows={data?.data}
        busy={isPlaceholderData}
        columns={columnsOf(acts)}
        card={(pedido) => (
          <>
            <Group justify="space-between" wrap="nowrap" gap="xs">
              <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
                {pedido.numero} {pedido.cliente && `· ${pedido.cliente}`}
              </Text>
              {pedido.total !== null && (
                <Text size="md" fw={600}>
                  {money(pedido.total)}
                </Text>
              )}
            </Group>
            <Text size="xs" c="dimmed">
              {pedido.tienda} · {fechaHora(pedido.recibido_at)}
            </Text>
            <Waits pedido={pedido} />
            <Acts pedido={pedido} {...acts} />
          </>
        )}
        empty={{ title: 'No hay pedidos por revisar', hint: 'Aquí aparecen los que no han podido entrar solos.' }}
        error={{ title: 'No se pudieron cargar los pedidos de la tienda', cause: error, onRetry: () => void refetch() }}
        pages={{ of: data, noun: 'pedidos', onPage: (page) => set({ page }) }}
        rowLines={3}
      />
      <Unreadable />
      <CorrectDialog pedido={correcting} onClose={() => setCorrecting(undefined)} />
      <DiscardDialog pedido={discarding} onClose={() => setDiscarding(undefined)} />
    </Stack>
  );
}

function DiscardDialog({ pedido, onClose }: { pedido: PedidoTienda | undefined; onClose: () => void }) {
  const dismiss = useMutate(descartarTienda, { failure: 'No se pudo descartar' });
  const form = useReason();
  return (
    <FormDialog opened={!!pedido} onClose={onClose} title={`Descartar el pedido ${pedido?.numero ?? ''} de la tienda`}>
      {(inDialog) => (
        <ReasonForm
          form={form}
          submit="Descartar"
          busy={dismiss.isPending}
          maxLength={200}
          onReason={(motivo) => dismiss.mutate({ params: { id: pedido?.id ?? '' }, body: { motivo } }, { onSuccess: onClose })}
          {...inDialog}
        >
          <Text size="sm">No se hará ningún pedido, y los datos del cliente se borran. La tienda no se entera.</Text>
        </ReasonForm>
      )}
    </FormDialog>
  );
}

function Unreadable() {
  const { data } = useApi(listIlegibles, { query: {} });
  const see = useMutate(verIlegible, { failure: 'No se pudo marcar como visto' });
  if (!data?.data.length) return null;
  return (
    <Section title="Mensajes que no se pueden leer" order={2}>
      <Stack gap="sm" mt="sm">
        {data.data.map(({ id, tienda, motivo, contenido, recibido_at }) => (
          <Stack key={id} gap={4}>
            <Text size="sm">
              {fechaHora(recibido_at)} · {tienda} · {motivo}
            </Text>
            <details>
              <Text component="summary" size="xs">
                El mensaje entero
              </Text>
              <Text size="xs" ff="monospace" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
                {contenido}
              </Text>
            </details>
            <Group gap="md">
              <Button size="xs" variant="default" aria-label="Visto: mensaje de la tienda" onClick={() => see.mutate({ params: { id } })}>
                Visto
              </Button>
            </Group>
          </Stack>
        ))}
      </Stack>
    </Section>
  );
}

/** Corrects the customer, note and lines of a waiting order; sends only changed values. */
function CorrectDialog({ pedido, onClose }: { pedido: PedidoTienda | undefined; onClose: () => void }) {
  return (
    <FormDialog opened={!!pedido} onClose={onClose} title={`Corregir el pedido ${pedido?.numero ?? ''} de la tienda`}>
      {(inDialog) => pedido && <CorrectForm key={pedido.id} pedido={pedido} onDone={onClose} {...inDialog} />}
    </FormDialog>
  );
}

function CorrectForm({ pedido, onDone, dirty, onCancel }: { pedido: PedidoTienda; onDone: () => void } & InDialog) {
  const names = EDITABLE_FIELDS.filter((name) => name in pedido.campos);
  const texts = Object.fromEntries(names.map((name) => [name, pedido.campos[name] ?? '']));
  const lineas = pedido.lineas.map(({ n, cantidad, pack_id }) => ({ n, cantidad, pack_id }));
  const form = useForm({ initialValues: { texts, lineas } });
  const { packs } = usePacks();
  const save = useMutate(corregirTienda, { failure: 'No se pudo corregir', form });
  useImperativeHandle(dirty, () => () => form.isDirty() && !save.isPending);
  const send = (values: typeof form.values) => {
    const changed = names.filter((name) => values.texts[name] !== texts[name]).map((name) => [name, values.texts[name]?.trim() || null]);
    const lines = values.lineas.filter((_, i) => form.isDirty(`lineas.${i}`));
    const body = { ...(changed.length && { campos: Object.fromEntries(changed) }), ...(lines.length && { lineas: lines }) };
    save.mutate({ params: { id: pedido.id }, body }, { onSuccess: onDone });
  };
  return (
    <form onSubmit={onValid(form, send)} noValidate aria-label="Corregir">
      <Stack gap="sm">
        {names.map((name) => {
          const { label, kind, max } = pedidoField(name);
          const shared = { label, maxLength: max, autoComplete: 'off', ...form.getInputProps(`texts.${name}`) };
          return kind === 'multiline' ? (
            <Textarea key={name} autosize minRows={2} {...shared} maxLength={undefined} />
          ) : (
            <TextInput key={name} {...shared} />
          );
        })}
        {pedido.lineas.map(({ n, nombre }, i) => (
          <Group key={n} align="flex-end" wrap="nowrap">
            <PackPicker
              label={nombre}
              packs={packs}
              value={form.values.lineas[i]?.pack_id ?? null}
              onChange={(id) => form.setFieldValue(`lineas.${i}.pack_id`, id)}
              flex={1}
            />
            <NumberInput
              label="Cantidad"
              aria-label={`Cantidad de ${nombre}`}
              min={1}
              max={9999}
              allowDecimal={false}
              w={100}
              {...form.getInputProps(`lineas.${i}.cantidad`)}
            />
          </Group>
        ))}
        <FormActions submit="Guardar y leer otra vez" pending="Guardando..." busy={save.isPending} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
