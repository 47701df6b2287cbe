import { Anchor, Button, Group, Skeleton, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { Link } from '@tanstack/react-router';
import { useImperativeHandle, useState } from 'react';
import { MAX_UNITS } from '../../contract/products/fields.ts';
import { ajustarStock, listMovimientos, type Movimiento, type Product } from '../../contract/products/products.ts';
import { useApi, useMutate } from '../api.ts';
import { FormDialog, type InDialog } from '../ui/dialog/form-dialog.tsx';
import { onValid } from '../ui/form/form-actions.tsx';
import { NumberField } from '../ui/form/form-number.tsx';
import { fechaHora, number, parseNumber } from '../ui/format/format.ts';
import { EmptyState, Loaded, Skeletons } from '../ui/list/loaded.tsx';
import { Pages } from '../ui/list/pages.tsx';
import classes from './ledger.module.css';

const PER_PAGE = 10;
type Props = { product: Product | undefined; opened: boolean; onClose: () => void };

export const MovimientosDialog = ({ product, opened, onClose }: Props) => (
  <FormDialog opened={opened && !!product} onClose={onClose} title={`Movimientos de ${product?.name ?? ''}`} size="lg">
    {(inDialog) => product && <Content key={product.id} product={product} {...inDialog} />}
  </FormDialog>
);

function Content({ product, ...inDialog }: { product: Product } & InDialog) {
  const [page, setPage] = useState(1);
  const movimientos = useApi(listMovimientos, { params: { id: product.id }, query: { page, per_page: PER_PAGE } }, { keepPrevious: true });
  const { data, isPlaceholderData } = movimientos;
  return (
    <Stack gap="md">
      <Pace stock={data?.stock ?? product.stock} data={data} />
      <AdjustForm product={product} {...inDialog} />
      <section aria-labelledby="movimientos-title" aria-busy={!data || isPlaceholderData}>
        <Title order={3} id="movimientos-title" mb="xs">
          Historial
        </Title>
        <Loaded
          query={movimientos}
          failed="No se pudieron cargar los movimientos"
          waiting={<Skeletons gap={8} heights={[54, 54, 54, 54]} />}
        >
          {({ data: rows, total }) =>
            total === 0 ? (
              <EmptyState title="Todavía no hay movimientos" hint="Los pedidos y los ajustes aparecerán aquí." />
            ) : (
              <ul className={classes.list} aria-label="Movimientos">
                {rows.map((movimiento) => (
                  <MovimientoRow key={movimiento.id} movimiento={movimiento} />
                ))}
              </ul>
            )
          }
        </Loaded>
        {data && data.total > PER_PAGE && (
          <Pages of={data} noun="movimientos" onPage={setPage} shown={data.data.length} busy={isPlaceholderData} />
        )}
      </section>
    </Stack>
  );
}

type PaceProps = { stock: number; data: { ritmo_diario: number; dias_restantes: number | null } | undefined };

const Pace = ({ stock, data }: PaceProps) => (
  <Group gap="xl">
    <div>
      <Text variant="detail">Stock</Text>
      <Text fw={600} size="lg">
        {number(stock)}
      </Text>
    </div>
    {data ? (
      <div>
        <Text variant="title">{stock > 0 ? pace(data) : 'No queda ninguna unidad'}</Text>
        <Text variant="detail">
          {data.dias_restantes === null
            ? 'Ningún pedido lo ha gastado en los últimos 30 días'
            : `${data.ritmo_diario.toLocaleString('es-ES')} unidades al día en los últimos 30 días`}
        </Text>
      </div>
    ) : (
      <Skeleton h={38} w="14rem" />
    )}
  </Group>
);

function pace({ dias_restantes: days }: { dias_restantes: number | null }): string {
  if (days === null) return 'Sin ventas recientes';
  if (days === 0) return 'A este ritmo no llega a mañana';
  return days === 1 ? 'A este ritmo queda 1 día' : `A este ritmo quedan ${number(days)} días`;
}

const UNITS = 'Indica cuántas unidades entran o salen';

/** Accepts signs as the ledger shows them: `+10`, `−3`. */
const unitsOf = (typed: string) => parseNumber(typed.trim().replace(/^\+/, '').replace('−', '-'));

function problems({ unidades, nota }: { unidades: string; nota: string }) {
  const units = unitsOf(unidades);
  const valid = Number.isInteger(units) && units !== 0 && Math.abs(units) <= MAX_UNITS;
  return { ...(!valid && { unidades: UNITS }), ...(!nota.trim() && { nota: 'Indica el motivo del ajuste' }) };
}

/** Adjusts a product's stock, with a reason for the ledger. */
function AdjustForm({ product, dirty }: { product: Pick<Product, 'id'> } & InDialog) {
  const form = useForm({ initialValues: { unidades: '', nota: '' }, validate: problems });
  useImperativeHandle(dirty, () => form.isDirty);
  // The server reports a shortage under `stock`; in this form the field is `unidades`.
  const under = ({ stock, ...errors }: Record<string, string>) => ({ ...(stock && { unidades: stock }), ...errors });
  const adjust = useMutate(ajustarStock, {
    form: {
      setErrors: (errors) => form.setErrors(under(errors)),
      getInputNode: (name) => form.getInputNode(name === 'stock' ? 'unidades' : name),
    },
    success: ({ data }) => `Stock ajustado: ahora hay ${number(data.stock)} unidades de ${data.name}`,
    failure: 'No se pudo ajustar el stock',
    onSuccess: () => form.reset(),
  });
  const submit = onValid(form, ({ unidades, nota }) =>
    adjust.mutate({ params: { id: product.id }, body: { unidades: unitsOf(unidades), nota: nota.trim() } }),
  );

  return (
    <form onSubmit={submit} noValidate className={classes.form} aria-label="Ajustar stock">
      <NumberField label="Unidades" placeholder="+10 o -3" min={-MAX_UNITS} required {...form.getInputProps('unidades')} />
      <TextInput
        label="Motivo"
        placeholder="Compra, recuento, rotura…"
        maxLength={200}
        required
        autoComplete="off"
        {...form.getInputProps('nota')}
      />
      <Button type="submit" disabled={adjust.isPending}>
        {adjust.isPending ? 'Guardando...' : 'Ajustar stock'}
      </Button>
    </form>
  );
}

const MOTIVO: Record<string, string> = {
  inicial: 'Stock inicial',
  ajuste: 'Ajuste',
  pedido: 'Pedido',
  devolucion: 'Devolución al stock',
  restauracion: 'Pedido restaurado',
  retorno: 'Devolución de un cliente',
  retorno_anulado: 'Devolución anulada',
};

/** Formats units with their sign: `+12`, `−3`. */
const signed = (units: number) => `${units < 0 ? '−' : '+'}${number(Math.abs(units))}`;

function MovimientoRow({ movimiento }: { movimiento: Movimiento }) {
  const { unidades, motivo, nota, actor_nombre, created_at, pedido_id, numero_orden } = movimiento;
  return (
    <li className={classes.row}>
      <div className={classes.what}>
        <Text fw={600}>
          {MOTIVO[motivo] ?? motivo}
          {pedido_id && numero_orden && (
            <>
              {' '}
              <Anchor component={Link} to={`/pedidos/${pedido_id}`} inherit>
                {numero_orden}
              </Anchor>
            </>
          )}
        </Text>
        {nota && <Text>{nota}</Text>}
        <Text variant="detail">
          {actor_nombre} · {fechaHora(created_at)}
        </Text>
      </div>
      <Text size="md" fw={600} className={classes.amount} c={unidades < 0 ? 'var(--mantine-color-error)' : undefined}>
        {signed(unidades)}
      </Text>
    </li>
  );
}
