import { Anchor, Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import {
  type Cobro,
  cobroSinLlegar,
  comprobarCobros,
  listCobros,
  listSinRegistrar,
  registrarLoQuePaso,
  type SinRegistrar,
} from '../../contract/caja/caja.ts';
import { MAX_OFICINA } from '../../contract/caja/fields.ts';
import { listPorRecibir, type PorRecibir } from '../../contract/devoluciones/devoluciones.ts';
import { METODO_PAGO_LABEL } from '../../contract/payments/fields.ts';
import { useApi, useMutate } from '../api.ts';
import { ReceiveGoods } from '../devoluciones/receive-goods.tsx';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { ReasonForm, useReason } from '../ui/form/form-actions.tsx';
import { fecha, fechaHora, money } from '../ui/format/format.ts';
import { Section } from '../ui/page/panel.tsx';
import classes from './office-lists.module.css';

/** Lists beside the cash: card and Bizum to compare with terminal and bank, deliveries to register, goods to receive. */
export default function OfficeLists() {
  const cobros = useApi(listCobros, {}).data?.data ?? [];
  const unregistered = useApi(listSinRegistrar, {}).data?.data ?? [];
  const goods = useApi(listPorRecibir, {}).data?.data ?? [];
  return (
    <Stack gap="lg" mt="lg">
      <List
        title="Cobrado sin registrar"
        hint="Entregas que no se aceptaron: el transportista tiene el dinero y ninguna caja lo sabe."
        rows={unregistered}
        row={(one) => <Unregistered one={one} />}
      />
      {cobros.length > 0 && <ToCompare cobros={cobros} />}
      <List
        title="Mercancía por recibir"
        hint="Lo que el cliente no se quedó: vuelve al stock cuando alguien de la oficina la tiene."
        rows={goods}
        row={(one) => <Goods one={one} />}
      />
    </Stack>
  );
}

type ListProps<Row> = { title: string; hint: string; rows: readonly Row[]; row: (row: Row) => ReactNode };

function List<Row extends { id: string }>({ title, hint, rows, row }: ListProps<Row>) {
  if (rows.length === 0) return null;
  return (
    <Section title={title} order={2} mb={4}>
      <Text c="dimmed" mb="xs">
        {hint}
      </Text>
      <ul className={classes.list}>
        {rows.map((one) => (
          <li key={one.id} className={classes.row}>
            {row(one)}
          </li>
        ))}
      </ul>
      {rows.length >= MAX_OFICINA && <Text mt="xs">Se muestran los {MAX_OFICINA} más antiguos: los demás aparecen al resolver estos.</Text>}
    </Section>
  );
}

const Order = ({ id, numero }: { id: string; numero: string }) => (
  <Anchor component={Link} to={`/pedidos/${id}`} inherit underline="always">
    {numero}
  </Anchor>
);

function Unregistered({ one }: { one: SinRegistrar }) {
  const save = useMutate(registrarLoQuePaso, { failure: 'No se pudo registrar' });
  return (
    <>
      <div>
        <Text>
          <strong>{money(one.importe)}</strong> · {METODO_PAGO_LABEL[one.metodo]} · {one.transportista_nombre} ·{' '}
          <Order id={one.pedido_id} numero={one.numero_orden} /> · {fechaHora(one.ocurrido_at)}
        </Text>
        {one.nota && <Text c="dimmed">«{one.nota}»</Text>}
      </div>
      <Button
        mih={44}
        variant="light"
        loading={save.isPending}
        aria-label={`Registrar lo que pasó en ${one.numero_orden}`}
        onClick={() => save.mutate({ params: { id: one.id } })}
      >
        Registrar lo que pasó
      </Button>
    </>
  );
}

const Goods = ({ one }: { one: PorRecibir }) => (
  <>
    <Text>
      {one.lineas.map(({ cantidad, producto }) => `${cantidad} × ${producto}`).join('; ')} ·{' '}
      {one.transportista_nombre ?? 'Sin transportista'} · <Order id={one.pedido_id} numero={one.numero_orden} /> · desde el{' '}
      {fecha(one.desde)}
    </Text>
    <ReceiveGoods id={one.id} numero={one.numero_orden} />
  </>
);

function ToCompare({ cobros }: { cobros: readonly Cobro[] }) {
  const [found, setFound] = useState<ReadonlySet<string>>(new Set());
  const [missing, setMissing] = useState<Cobro>();
  const chosen = cobros.filter(({ id }) => found.has(id));
  const save = useMutate(comprobarCobros, { failure: 'No se pudieron comprobar los cobros', onSuccess: () => setFound(new Set()) });
  const tick = (id: string, on: boolean) => {
    const next = new Set(found);
    if (on) next.add(id);
    else next.delete(id);
    setFound(next);
  };
  const sum = chosen.reduce((all, { importe }) => all + importe, 0);
  return (
    <>
      <List
        title="Por comprobar: Bizum y tarjeta"
        hint="Lo que el transportista dice que le pagaron. Compáralo con el datáfono y el banco."
        rows={cobros}
        row={(one) => (
          <>
            <Group wrap="nowrap" align="start">
              <Checkbox
                mt={2}
                checked={found.has(one.id)}
                onChange={(event) => tick(one.id, event.currentTarget.checked)}
                aria-label={`${money(one.importe)} de ${one.numero_orden}: está`}
              />
              <Text>
                <strong>{money(one.importe)}</strong> · {METODO_PAGO_LABEL[one.metodo]} · {one.transportista_nombre} ·{' '}
                <Order id={one.pedido_id} numero={one.numero_orden} /> · {fecha(one.dia)}
              </Text>
            </Group>
            <Button
              mih={44}
              variant="subtle"
              aria-label={`${money(one.importe)} de ${one.numero_orden}: no está`}
              onClick={() => setMissing(one)}
            >
              No está
            </Button>
          </>
        )}
      />
      <Group gap="md">
        <Button
          mih={44}
          disabled={chosen.length === 0}
          loading={save.isPending}
          onClick={() => save.mutate({ body: { cobros: chosen.map(({ id }) => id) } })}
        >
          {chosen.length === 0 ? 'Marca los que están' : `Están ${chosen.length}: ${money(sum)}`}
        </Button>
        {chosen.length < cobros.length && (
          <Button mih={44} variant="default" onClick={() => setFound(new Set(cobros.map(({ id }) => id)))}>
            Marcar todos
          </Button>
        )}
      </Group>
      <FormDialog opened={!!missing} onClose={() => setMissing(undefined)} title="El cobro no ha llegado" fillsPhone={false}>
        {(inDialog) => missing && <Missing cobro={missing} onDone={() => setMissing(undefined)} {...inDialog} />}
      </FormDialog>
    </>
  );
}

function Missing({ cobro, onDone, ...inDialog }: InDialog & { cobro: Cobro; onDone: () => void }) {
  const form = useReason();
  const save = useMutate(cobroSinLlegar, { form, failure: 'No se pudo anular el cobro', onSuccess: onDone });
  return (
    <ReasonForm
      {...inDialog}
      form={form}
      placeholder="No está en el banco"
      submit="Anular el cobro"
      busy={save.isPending}
      onReason={(motivo) => save.mutate({ params: { id: cobro.id }, body: { motivo } })}
    >
      <Text>
        {money(cobro.importe)} por {METODO_PAGO_LABEL[cobro.metodo]} de {cobro.numero_orden}: el cobro se anula, el pedido vuelve a estar
        por cobrar y se avisa a {cobro.transportista_nombre}.
      </Text>
    </ReasonForm>
  );
}
