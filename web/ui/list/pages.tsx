import { Button, Group, Text } from '@mantine/core';
import { useEffect } from 'react';
import type { Paged } from '../../../contract/kit.ts';
import { money, number } from '../format/format.ts';

/** `noun` as in «Mostrando 20 de 240 pedidos»; `counted` says «Página 1 de 12 — 240 pedidos» instead. */
export type PagesOf = {
  of: (Paged<unknown> & { importe?: number | undefined }) | undefined;
  noun: string;
  onPage: (page: number) => void;
  counted?: boolean;
};
type Props = PagesOf & { shown: number; busy: boolean };

/** The foot of a list with pages: how much of it is on screen, and the way to the rest. */
export function Pages({ of, noun, onPage, counted = false, shown, busy }: Props) {
  const { current_page: page = 1, last_page: last = 1, total } = of ?? {};
  // A page that no longer exists (its rows were deleted, the address is old) gives way to the last one.
  const beyond = !busy && page > last && last > 0;
  useEffect(() => {
    if (beyond) onPage(last);
  });

  return (
    <Group justify="space-between" gap="xs" px="sm" py="xs" mih={50}>
      <Text size="sm" c="dimmed" role="status">
        {total === undefined
          ? ' '
          : counted
            ? `Página ${number(page)} de ${number(last)} — ${number(total)} ${total === 1 ? noun.slice(0, -1) : noun}`
            : `Mostrando ${number(shown)} de ${number(total)} ${noun}`}
      </Text>
      <Group gap="xs">
        {of?.importe !== undefined && (
          <Text size="sm" c="dimmed">
            Suman {money(of.importe)}
          </Text>
        )}
        {last > 1 && !counted && (
          <Text size="sm" c="dimmed">
            Página {number(page)} de {number(last)}
          </Text>
        )}
        <Button variant="default" size="xs" disabled={page <= 1} onClick={() => onPage(page - 1)}>
          Anterior
        </Button>
        <Button variant="default" size="xs" disabled={page >= last} onClick={() => onPage(page + 1)}>
          Siguiente
        </Button>
      </Group>
    </Group>
  );
}
