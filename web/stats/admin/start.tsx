import { Button, Group, Paper, Text, Title } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { Link, type LinkProps } from '@tanstack/react-router';
import { PASOS_INICIO, type PasoInicio } from '../../../contract/payments/fields.ts';
import { getInicio } from '../../../contract/payments/payments.ts';
import { useApi } from '../../api.ts';
import { useSession } from '../../session/session.ts';
import { HowElsewhere, isOnlyHere } from '../../ui/page/only-here.tsx';
import classes from './start.module.css';

const PASO: Record<PasoInicio, { label: string; hint: string } & Pick<LinkProps, 'to' | 'search'>> = {
  empresa: {
    label: 'El nombre de tu empresa',
    hint: 'Lo ven tus clientes al pagar y en el albarán.',
    to: '/configuracion',
    search: { tab: 'general', campo: 'companyName' },
  },
  cobro: {
    label: 'Cómo te pagan',
    hint: 'El IBAN de tu cuenta, o una pasarela de tarjeta.',
    to: '/configuracion',
    search: { tab: 'general', campo: 'companyIban' },
  },
  producto: {
    label: 'Un producto con su pack',
    hint: 'Los dos activos: lo que se vende son los packs.',
    to: '/control-stock',
    search: { primero: 'si' },
  },
  transportista: {
    label: 'Un transportista',
    hint: 'La persona que reparte los pedidos.',
    to: '/gestion-usuarios',
    search: { rol: 'transportista', nuevo: 'si' },
  },
  revendedor: {
    label: 'Un revendedor',
    hint: 'La persona que los vende.',
    to: '/gestion-usuarios',
    search: { rol: 'revendedor', nuevo: 'si' },
  },
  pedido: { label: 'El primer pedido', hint: 'Puedes hacerlo tú.', to: '/pedidos/nuevo-admin' },
};

/** «Para empezar»: first steps of a new shop, done or missing. Disappears when all are done, or when hidden by the person. */
export function Start() {
  const [away, putAway] = useLocalStorage({
    key: `enruta-empezar-${useSession().id}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  });
  const { data } = useApi(getInicio, {}, { enabled: !away, refetchInterval: 60_000 });
  const missing = data?.data.faltan ?? [];
  if (away || missing.length === 0) return null;
  const next = missing[0];
  const onlyHere = isOnlyHere(window.location.origin);
  const steps = PASOS_INICIO.length + (onlyHere ? 1 : 0);
  return (
    <Paper p="md" mb="md" component="section" aria-labelledby="empezar">
      <Group justify="space-between" gap="xs" mb="xs">
        <div>
          <Title order={2} id="empezar">
            Para empezar
          </Title>
          <Text size="sm" c="dimmed">
            {PASOS_INICIO.length - missing.length} de {steps} pasos hechos
          </Text>
        </div>
        <Button variant="subtle" size="compact-sm" onClick={() => putAway(true)}>
          No mostrar más
        </Button>
      </Group>
      <ol className={classes.steps}>
        {PASOS_INICIO.map((paso) => {
          const { label, hint, ...link } = PASO[paso];
          const done = !missing.includes(paso);
          return (
            <li key={paso} data-done={done || undefined}>
              {done ? <IconCircleCheckFilled size={20} aria-label="Hecho" /> : <IconCircle size={20} aria-label="Por hacer" />}
              <div>
                <Text size="sm" fw={600}>
                  {label}
                </Text>
                {!done && (
                  <Text size="xs" c="dimmed">
                    {hint}
                  </Text>
                )}
              </div>
              {!done && (
                <Button
                  renderRoot={(props) => <Link {...props} {...link} />}
                  size="compact-sm"
                  variant={paso === next ? 'filled' : 'default'}
                  aria-label={`Hacer: ${label}`}
                >
                  Hacer
                </Button>
              )}
            </li>
          );
        })}
        {onlyHere && (
          <li>
            <IconCircle size={20} aria-label="Por hacer" />
            <div>
              <Text size="sm" fw={600}>
                Que se pueda abrir desde el teléfono
              </Text>
              <Text size="xs" c="dimmed">
                Aún solo se abre en este ordenador. <HowElsewhere />
              </Text>
            </div>
          </li>
        )}
      </ol>
    </Paper>
  );
}
