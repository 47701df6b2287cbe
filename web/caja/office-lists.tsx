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
import classes from '../ui/list/act-rows.module.css';
import { Section } from '../ui/page/panel.tsx';
import { CompanyMoney } from './companies.tsx';

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
        row={(cobro) => <Unregistered cobro={cobro} />}
      />
      <CompanyMoney />
      {cobros.length > 0 && <ToCompare cobros={cobros} />}
      <List
        title="Mercancía por recibir"
        hint="Lo que el cliente no se quedó, y lo que estaba fuera cuando su pedido se canceló o se eliminó."
        rows={goods}
        row={(bienes) => <Goods bienes={bienes} />}
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
        {rows.map((item) => (
          <li key={item.id} className={classes.row}>
            {row(item)}
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

function Unregistered({ cobro }: { cobro: SinRegistrar }) {
  const save = useMutate(registrarLoQuePaso, { failure: 'No se pudo registrar' });
  return (
    <>
      <div>
        <Text>
          <strong>{money(cobro.importe)}</strong> · {METODO_PAGO_LABEL[cobro.metodo]} · {cobro.transportista_nombre} ·{' '}
          <Order id={cobro.pedido_id} numero={cobro.numero_orden} /> · {fechaHora(cobro.ocurrido_at)}
        </Text>
        {cobro.nota && <Text c="dimmed">«{cobro.nota}»</Text>}
      </div>
      <Button
        variant="light"
        loading={save.isPending}
        aria-label={`Registrar lo que pasó en ${cobro.numero_orden}`}
        onClick={() => save.mutate({ params: { id: cobro.id } })}
      >
        Registrar lo que pasó
      </Button>
    </>
  );
}

const Goods = ({ bienes }: { bienes: PorRecibir }) => (
  <>
    <Text>
      {bienes.lineas.map(({ cantidad, producto }) => `${cantidad} × ${producto}`).join('; ')} ·{' '}
      {bienes.transportista_nombre ?? 'Sin transportista'} · <Order id={bienes.pedido_id} numero={bienes.numero_orden} /> · desde el{' '}
      {fecha(bienes.desde)}
    </Text>
    <ReceiveGoods id={bienes.pedido_id} numero={bienes.numero_orden} />
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
        row={(cobro) => (
          <>
            <Group wrap="nowrap" align="start">
              <Checkbox
                mt={2}
                checked={found.has(cobro.id)}
                onChange={(event) => tick(cobro.id, event.currentTarget.checked)}
                aria-label={`${money(cobro.importe)} de ${cobro.numero_orden}: está`}
              />
              <Text>
                <strong>{money(cobro.importe)}</strong> · {METODO_PAGO_LABEL[cobro.metodo]} · {cobro.transportista_nombre} ·{' '}
                <Order id={cobro.pedido_id} numero={cobro.numero_orden} /> · {fecha(cobro.dia)}
              </Text>
            </Group>
            <Button
              variant="subtle"
              aria-label={`${money(cobro.importe)} de ${cobro.numero_orden}: no está`}
              onClick={() => setMissing(cobro)}
            >
              No está
            </Button>
          </>
        )}
      />
      <Group gap="md">
        <Button
          disabled={chosen.length === 0}
          loading={save.isPending}
          onClick={() => save.mutate({ body: { cobros: chosen.map(({ id }) => id) } })}
        >
          {chosen.length === 0 ? 'Marca los que están' : `Están ${chosen.length}: ${money(sum)}`}
        </Button>
        {chosen.length < cobros.length && (
          <Button variant="default" onClick={() => setFound(new Set(cobros.map(({ id }) => id)))}>
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
