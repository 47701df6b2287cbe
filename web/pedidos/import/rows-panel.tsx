import { ActionIcon, Button, Checkbox, Group, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { type ReactNode, useCallback, useState } from 'react';
import type { SheetColumns } from '../../sheets/reading.ts';
import { number } from '../../ui/format/format.ts';
import { DataTable } from '../../ui/list/data-table.tsx';
import { localPage } from '../../ui/list/local-list.ts';
import { Section } from '../../ui/page/panel.tsx';
import { Cell, type CellActions } from './cell.tsx';
import classes from './import.module.css';
import { TARGETS, type Target, targetLabel } from './target.ts';
import type { View } from './view.ts';

type Props = CellActions & {
  columns: SheetColumns;
  views: readonly View[];
  onAccept: (these: View[]) => void;
  onRemove: (id: string) => void;
  /** True if rows of one customer form one order; undefined without such rows, or until answered. */
  joined: boolean | undefined;
  onJoin: (joined: boolean) => void;
};

const PER_PAGE = 50;
const ALWAYS: readonly Target[] = ['cliente_nombre', 'cliente_telefono', 'cliente_direccion', 'pack', 'cantidad'];
// Fields that are most often wrong come first, visible without scrolling sideways.
const FIRST: readonly Target[] = [
  'cliente_nombre',
  'cliente_telefono',
  'cliente_direccion',
  'cliente_codigo_postal',
  'pack',
  'cantidad',
  'pedido',
];
const IN_ORDER: readonly Target[] = [...FIRST, ...TARGETS.filter((target) => !FIRST.includes(target))];
const WIDTHS: Partial<Record<Target, number>> = {
  cliente_nombre: 170,
  cliente_direccion: 190,
  cliente_codigo_postal: 116,
  pack: 210,
  cantidad: 84,
  instrucciones: 220,
};
/** Short fields, which take half a line of a card. */
const SHORT: readonly Target[] = [
  'cliente_telefono',
  'cliente_codigo_postal',
  'cliente_ciudad',
  'cliente_provincia',
  'cliente_pais',
  'cantidad',
  'contra_reembolso',
  'envio',
  'descuento',
  'total',
];
const isLong = (target: Target) => !SHORT.includes(target);

/** True for a field without its own column that is filled from another column or has an error or warning. */
const isShown = (views: readonly View[], target: Target) =>
  (target === 'contra_reembolso' && views.some(({ values }) => values.contra_reembolso === 'Sí')) ||
  views.some(({ errors, doubts }) => errors[target] !== undefined || doubts.some((doubt) => doubt.target === target));

/** Rows of the import with fields editable in place. Lists only rows with problems by default, while there are any. */
export function RowsPanel({ columns, views, packs, onType, onPick, onAccept, onRemove, joined, onJoin }: Props) {
  const [chosen, setChosen] = useState<'problems' | 'all'>();
  const [page, setPage] = useState(1);
  // Corrected rows stay listed until the filter changes.
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const touch = useCallback((id: string) => setTouched((before) => (before.has(id) ? before : new Set(before).add(id))), []);
  const troubled = views.filter(({ isWrong, open }) => isWrong || open.length > 0);
  const filter = chosen ?? (troubled.length || touched.size ? 'problems' : 'all');
  const listed = filter === 'all' ? views : views.filter((view) => view.isWrong || view.open.length > 0 || touched.has(view.id));
  const pages = localPage(listed, page, PER_PAGE);
  const open = views.filter((view) => view.open.length > 0);

  const several = views.some(({ later }) => later);
  const targets = IN_ORDER.filter((target) => ALWAYS.includes(target) || columns.includes(target) || isShown(views, target));
  const type = useCallback<CellActions['onType']>(
    (id, target, text) => {
      touch(id);
      onType(id, target, text);
    },
    [touch, onType],
  );
  const pick = useCallback<CellActions['onPick']>(
    (id, pack_id) => {
      touch(id);
      onPick(id, pack_id);
    },
    [touch, onPick],
  );
  const cell = (view: View, target: Target) => <Cell view={view} target={target} packs={packs} onType={type} onPick={pick} />;
  const accept = (these: View[]) => {
    for (const { id } of these) touch(id);
    onAccept(these);
  };
  const buttons = (view: View) => (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {view.open.length > 0 && (
        <Button size="compact-xs" variant="default" onClick={() => accept([view])}>
          Dejar así
        </Button>
      )}
      <ActionIcon variant="subtle" color="gray" aria-label={`Quitar la fila ${view.row.n}`} onClick={() => onRemove(view.id)}>
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
  function choose(value: typeof filter) {
    setChosen(value);
    setTouched(new Set());
    setPage(1);
  }

  return (
    <Section title="Filas" mb="xs">
      <RowsBar
        filter={filter}
        all={views.length}
        troubled={troubled.length}
        open={open.length}
        onFilter={choose}
        joined={joined}
        onJoin={onJoin}
        onAccept={() => accept(open)}
      />
      <DataTable
        label="Filas de la importación"
        rows={pages.data}
        columns={[
          { key: 'n', title: 'Fila', width: several ? 104 : 56, render: (view) => <Place of={view} /> },
          ...targets.map((target) => ({
            key: target,
            title: targetLabel(target),
            width: WIDTHS[target] ?? 130,
            render: (view: View) => cell(view, target),
          })),
          { key: 'actions', title: 'Acciones', width: open.length > 0 ? 122 : 84, render: buttons },
        ]}
        card={(view) => <RowCard view={view} targets={targets} cell={cell} buttons={buttons(view)} />}
        pages={{ of: pages, noun: 'filas', onPage: setPage }}
        tight
        pinLast
        empty={{ title: views.length ? 'Ninguna fila tiene problemas' : 'No queda ninguna fila' }}
      />
    </Section>
  );
}

type BarProps = Pick<Props, 'joined' | 'onJoin'> & {
  filter: 'problems' | 'all';
  /** Numbers of rows: all, with problems, with warnings not yet accepted. */
  all: number;
  troubled: number;
  open: number;
  onFilter: (filter: 'problems' | 'all') => void;
  onAccept: () => void;
};

function RowsBar({ filter, all, troubled, open, onFilter, joined, onJoin, onAccept }: BarProps) {
  return (
    <Group gap="xs" mb="xs" justify="space-between">
      <Group gap={4} role="group" aria-label="Filas que se ven">
        {(['problems', 'all'] as const).map((value) => (
          <Button
            key={value}
            size="xs"
            variant={filter === value ? 'light' : 'subtle'}
            aria-pressed={filter === value}
            onClick={() => onFilter(value)}
          >
            {value === 'all' ? `Todas (${number(all)})` : `Con problemas (${number(troubled)})`}
          </Button>
        ))}
      </Group>
      {joined !== undefined && (
        <Checkbox
          label="Juntar en un pedido las filas de cada cliente"
          checked={joined}
          onChange={(event) => onJoin(event.currentTarget.checked)}
        />
      )}
      {open > 1 && (
        <Button size="xs" variant="default" onClick={onAccept}>
          Dejar así las {number(open)} con dudas
        </Button>
      )}
    </Group>
  );
}

type CardProps = { view: View; targets: readonly Target[]; cell: (view: View, target: Target) => ReactNode; buttons: ReactNode };

function RowCard({ view, targets, cell, buttons }: CardProps) {
  return (
    <>
      <Group gap="md" justify="space-between" mb={4}>
        <div>
          <strong>Fila </strong>
          <Place of={view} />
        </div>
        {buttons}
      </Group>
      <dl className={classes.card}>
        {[...targets.filter(isLong), ...targets.filter((target) => !isLong(target))].map((target) => (
          <div key={target} data-short={!isLong(target) || undefined}>
            <dt>{targetLabel(target)}</dt>
            <dd>{cell(view, target)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** Row number, and the order of several lines to which the row belongs. */
function Place({ of: { row, order, later } }: { of: View }) {
  return (
    <>
      <strong>{row.n}</strong>
      {order.lines > 1 && (
        <Text size="xs" c="dimmed">
          {later ? `Del pedido de la fila ${order.first}` : `Pedido de ${number(order.lines)} líneas`}
        </Text>
      )}
    </>
  );
}
