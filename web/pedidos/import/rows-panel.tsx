import '@mantine/core/styles/SegmentedControl.css';
import { ActionIcon, Button, Group, SegmentedControl } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { number } from '../../ui/format/format.ts';
import { DataTable } from '../../ui/list/data-table.tsx';
import { pageOf } from '../../ui/list/local-list.ts';
import { Section } from '../../ui/page/section.tsx';
import { Cell, type CellActions } from './cell.tsx';
import { type Columns, TARGETS, type Target, targetLabel } from './columns.ts';
import classes from './import.module.css';
import type { View } from './view.ts';

type Props = CellActions & {
  columns: Columns;
  views: readonly View[];
  onAccept: (these: View[]) => void;
  onRemove: (id: string) => void;
};

const PER_PAGE = 50;
const ALWAYS: readonly Target[] = ['cliente_nombre', 'cliente_telefono', 'cliente_direccion', 'pack', 'cantidad'];
// What is longest gets most room.
const WIDTHS: Partial<Record<Target, number>> = {
  cliente_nombre: 190,
  cliente_telefono: 140,
  cliente_direccion: 220,
  cliente_codigo_postal: 100,
  pack: 240,
  cantidad: 84,
  instrucciones: 220,
};

/** The rows of the import, those with problems first, each field corrected where it stands. */
export function RowsPanel({ columns, views, onAccept, onRemove, ...actions }: Props) {
  const [chosen, setChosen] = useState<'problems' | 'all'>();
  const [page, setPage] = useState(1);
  // What has just been corrected stays in sight until the list is asked for anew.
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const touch = (id: string) => setTouched((before) => (before.has(id) ? before : new Set(before).add(id)));
  const troubled = views.filter(({ isWrong, open }) => isWrong || open.length > 0);
  const filter = chosen ?? (troubled.length || touched.size ? 'problems' : 'all');
  const listed = filter === 'all' ? views : views.filter((view) => view.isWrong || view.open.length > 0 || touched.has(view.id));
  const pages = pageOf(listed, page, PER_PAGE);
  const open = views.filter((view) => view.open.length > 0);

  const targets = TARGETS.filter((target) => ALWAYS.includes(target) || columns.includes(target));
  const cell = (view: View, target: Target) => (
    <Cell
      view={view}
      target={target}
      packs={actions.packs}
      onType={(id, at, text) => {
        touch(id);
        actions.onType(id, at, text);
      }}
      onPick={(id, pack) => {
        touch(id);
        actions.onPick(id, pack);
      }}
    />
  );
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
  function choose(value: string) {
    setChosen(value === 'all' ? 'all' : 'problems');
    setTouched(new Set());
    setPage(1);
  }

  return (
    <Section title="Filas" mb="xs">
      <Group gap="xs" mb="xs" justify="space-between">
        <SegmentedControl
          aria-label="Filas que se ven"
          size="xs"
          data={[
            { value: 'problems', label: `Con problemas (${number(troubled.length)})` },
            { value: 'all', label: `Todas (${number(views.length)})` },
          ]}
          value={filter}
          onChange={choose}
        />
        {open.length > 1 && (
          <Button size="xs" variant="default" onClick={() => accept(open)}>
            Dejar así las {number(open.length)} con dudas
          </Button>
        )}
      </Group>
      <DataTable
        label="Filas de la importación"
        rows={pages.data}
        columns={[
          { key: 'n', title: 'Fila', width: 56, render: ({ row }) => row.n },
          ...targets.map((target) => ({
            key: target,
            title: targetLabel(target),
            width: WIDTHS[target] ?? 130,
            render: (view: View) => cell(view, target),
          })),
          { key: 'actions', title: '', width: 130, render: buttons },
        ]}
        card={(view) => (
          <>
            <Group justify="space-between" mb={4}>
              <strong>Fila {view.row.n}</strong>
              {buttons(view)}
            </Group>
            <dl className={classes.card}>
              {targets.map((target) => (
                <div key={target}>
                  <dt>{targetLabel(target)}</dt>
                  <dd>{cell(view, target)}</dd>
                </div>
              ))}
            </dl>
          </>
        )}
        pages={{ of: pages, noun: 'filas', onPage: setPage }}
        tight
        pinLast
        empty={{ title: views.length ? 'Ninguna fila tiene problemas' : 'No queda ninguna fila' }}
      />
    </Section>
  );
}
