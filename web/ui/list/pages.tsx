import { Button, Group, Select, Text } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useEffect } from 'react';
import type { Paged } from '../../../contract/kit/endpoint.ts';
import { PER_PAGE_OPTIONS } from '../../../contract/kit/pages.ts';
import { money, number } from '../format/format.ts';
import { usePhone } from '../page/use-phone.ts';

/** `noun` as in «Mostrando 20 de 240 pedidos»; `counted` shows «Página 1 de 12 — 240 pedidos» instead. */
export type PagesOf = {
  of: (Paged<unknown> & { importe?: number | undefined }) | undefined;
  noun: string;
  onPage: (page: number) => void;
  counted?: boolean;
  onCountAll?: () => void;
  onPerPage?: (rows: number) => void;
};
type Props = PagesOf & { shown: number; busy: boolean };

/** Footer of a paged list: range and pagination. */
export function Pages({ of, noun, onPage, counted = false, onCountAll, onPerPage, shown, busy }: Props) {
  const { current_page: page = 1, last_page: last = 1, total, per_page = 0 } = of ?? {};
  // Goes to the last page if the current page no longer exists (rows deleted, old link).
  const beyond = !busy && page > last && last > 0;
  useEffect(() => {
    if (beyond) onPage(last);
  });

  const phone = usePhone();
  const sum = of?.importe !== undefined && <Text c="dimmed">Suman {money(of.importe)}</Text>;

  const some = of?.total_exacto === false;
  const all = `${some ? 'más de ' : ''}${number(total)}`;

  return (
    <Group justify="space-between" px={phone && shown > 0 ? 0 : 'sm'} py="xs" mih={50} wrap={phone ? 'nowrap' : 'wrap'}>
      <div>
        <Text c="dimmed" role="status">
          {total === undefined
            ? ' '
            : counted
              ? `Página ${number(page)} de ${number(last)} — ${all} ${total === 1 ? noun.slice(0, -1) : noun}`
              : `Mostrando ${number(shown)} de ${all} ${noun}`}
        </Text>
        {phone && sum}
        {some && onCountAll && (
          <Button variant="subtle" size="compact-xs" onClick={onCountAll} loading={busy}>
            Contar todos
          </Button>
        )}
      </div>
      <Group wrap="nowrap">
        {!phone && sum}
        {onPerPage && !phone && total !== undefined && (
          <Select
            aria-label="Filas por página"
            size="xs"
            w="8.75rem"
            data={PER_PAGE_OPTIONS.map((rows) => ({ value: String(rows), label: `${rows} por página` }))}
            value={String(per_page)}
            onChange={(rows) => rows && onPerPage(Number(rows))}
            checkIconPosition="right"
          />
        )}
        {last > 1 && !counted && !phone && <Text c="dimmed">{`Página ${number(page)} de ${number(last)}`}</Text>}
        <Turn name="Anterior" Icon={IconChevronLeft} disabled={page <= 1} onClick={() => onPage(page - 1)} />
        <Turn name="Siguiente" Icon={IconChevronRight} disabled={page >= last} onClick={() => onPage(page + 1)} />
      </Group>
    </Group>
  );
}

/** Button for the previous or next page; only an icon on a phone, where a label would wrap to a second line. */
function Turn({ name, Icon, ...button }: { name: string; Icon: typeof IconChevronLeft; disabled: boolean; onClick: () => void }) {
  const phone = usePhone();
  return (
    <Button variant="default" size={phone ? 'md' : 'xs'} px={phone ? 'sm' : undefined} aria-label={name} {...button}>
      {phone ? <Icon size={18} aria-hidden /> : name}
    </Button>
  );
}
