import { Alert, Anchor, Box, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { IconInfoCircle, IconLock } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { mesEnPalabras } from '../../contract/liquidaciones/fields.ts';
import { cerrarMes, listPorCerrar, type PorCerrar } from '../../contract/liquidaciones/liquidaciones.ts';
import { useApi, useMutate } from '../api.ts';
import { confirm } from '../ui/dialog/confirm.ts';
import { money, number } from '../ui/format/format.ts';
import { Loaded, Skeletons } from '../ui/list/loaded.tsx';
import { Section } from '../ui/page/section.tsx';

const many = (n: number, one: string, more: string) => `${number(n)} ${n === 1 ? one : more}`;
const summary = ({ personas, lineas, total }: PorCerrar) =>
  `${many(personas, 'persona', 'personas')}, ${many(lineas, 'línea', 'líneas')}, ${money(total)}`;

/** Ended months ready to be closed; renders nothing if there are none. */
export function ToClose() {
  const months = useApi(listPorCerrar, {});
  if (months.data?.data.length === 0) return null;
  return (
    <Section title="Meses por cerrar" mb="xs">
      <Loaded query={months} failed="No se pudieron cargar los meses" waiting={<Skeletons heights={[56]} />}>
        {({ data }) => (
          <Stack component="ul" gap="xs">
            {data.map((month) => (
              <Month key={month.mes} month={month} />
            ))}
          </Stack>
        )}
      </Loaded>
    </Section>
  );
}

function Month({ month }: { month: PorCerrar }) {
  const words = mesEnPalabras(month.mes);
  const close = useMutate(cerrarMes, { failure: `No se pudo cerrar ${words}` });
  const ask = () =>
    void confirm({
      title: `Cerrar ${words}`,
      message: (
        <Stack gap="xs">
          <Text size="md">
            Se hace una liquidación para cada persona: <strong>{summary(month)}</strong>.
          </Text>
          <Repeated of={month.repetidos} />
          <Text c="dimmed">Se avisa a cada una. Una liquidación cerrada no cambia nunca: lo que se corrija después va a la siguiente.</Text>
        </Stack>
      ),
      confirm: `Cerrar ${words}`,
      action: () => close.mutateAsync({ body: { mes: month.mes } }),
    });
  return (
    <Paper component="li" withBorder p="sm">
      <Group justify="space-between">
        <div>
          <Text size="md" fw={600} style={{ textTransform: 'capitalize' }}>
            {words.replace(' de ', ' ')}
          </Text>
          <Text c="dimmed">{summary(month)}</Text>
        </div>
        <Button leftSection={<IconLock size={16} aria-hidden />} onClick={ask}>
          Cerrar {words}
        </Button>
      </Group>
    </Paper>
  );
}

/** Orders with several paid failed attempts, to check before closing the month. */
function Repeated({ of }: { of: PorCerrar['repetidos'] }) {
  if (of.length === 0) return null;
  return (
    <Alert color="orange" icon={<IconInfoCircle size={18} />} title="Intentos fallidos repetidos">
      <Text>Se pagan varios intentos del mismo pedido. Míralos antes de cerrar:</Text>
      <Box component="ul" m={0} pl="md" mah={160} style={{ overflowY: 'auto' }}>
        {of.map(({ pedido_id, numero_orden, persona_nombre, intentos, importe }) => (
          <li key={`${pedido_id} ${persona_nombre}`}>
            <Anchor component={Link} to={`/pedidos/${pedido_id}`} size="sm" underline="always">
              {numero_orden}
            </Anchor>
            {`: ${number(intentos)} intentos de ${persona_nombre}, ${money(importe)}`}
          </li>
        ))}
      </Box>
    </Alert>
  );
}
