import { Button, Group, Stack, Text } from '@mantine/core';
import { deshacerImport, listImports } from '../../../contract/pedidos/import.ts';
import { useApi, useMutate } from '../../api.ts';
import { confirm } from '../../ui/dialog/confirm.ts';
import { fechaHora, number } from '../../ui/format/format.ts';
import { Section } from '../../ui/page/section.tsx';

const ordersOf = (n: number) => (n === 1 ? '1 pedido' : `${number(n)} pedidos`);

/** Imports of the last days, each of which can be undone whole while none of its orders has changed. */
export function RecentImports() {
  const { data } = useApi(listImports, {});
  const undo = useMutate(deshacerImport, { failure: 'No se pudo deshacer la importación' });
  if (!data?.data.length) return null;
  const ask = async (id: string, pedidos: number) => {
    const message = `Se ${pedidos === 1 ? 'elimina' : 'eliminan'} ${ordersOf(pedidos)} y se anulan los pagos que trajo la hoja; las unidades vuelven al stock. Si alguno ha cambiado desde entonces, no se toca ninguno.`;
    if (await confirm({ title: 'Deshacer la importación', message, confirm: 'Deshacer', danger: true })) undo.mutate({ params: { id } });
  };
  return (
    <Section title="Últimas importaciones" order={2}>
      <Stack component="ul" gap="xs" mt="sm" m={0} p={0} style={{ listStyle: 'none' }}>
        {data.data.map(({ id, created_at, quien, pedidos }) => (
          <Group component="li" key={id} justify="space-between" gap="xs">
            <Text size="sm">
              {fechaHora(created_at)} · {ordersOf(pedidos)}
              {quien && ` · ${quien}`}
            </Text>
            <Button
              size="xs"
              variant="default"
              loading={undo.isPending}
              aria-label={`Deshacer la importación de ${fechaHora(created_at)}`}
              onClick={() => void ask(id, pedidos)}
            >
              Deshacer
            </Button>
          </Group>
        ))}
      </Stack>
    </Section>
  );
}
