import { Button, Group, Paper, Skeleton, Text, Title } from '@mantine/core';
import { IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PASOS_INICIO } from '../../../contract/payments/fields.ts';
import { getInicio } from '../../../contract/payments/payments.ts';
import { useApi } from '../../api.ts';
import { PASO, usePutAway } from '../../nav/first-steps.ts';
import classes from './start.module.css';

/** «Para empezar»: first steps of a new shop, done or missing. Disappears when all are done, or when hidden by the person. */
export function Start() {
  const [away, putAway] = usePutAway();
  const { data, isPending } = useApi(getInicio, {}, { enabled: !away, refetchInterval: 60_000 });
  if (isPending && !away) return <Skeleton h={0} />;
  const missing = data?.data.faltan ?? [];
  if (away || missing.length === 0) return null;
  const next = missing[0];
  return (
    <Paper p="md" mb="md" component="section" aria-labelledby="empezar">
      <Group justify="space-between" mb="xs">
        <div>
          <Title order={2} id="empezar">
            Para empezar
          </Title>
          <Text c="dimmed">
            {PASOS_INICIO.length - missing.length} de {PASOS_INICIO.length} pasos hechos
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
            <Step key={paso} label={label} hint={!done && hint}>
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
            </Step>
          );
        })}
      </ol>
    </Paper>
  );
}

/** One step; done if it has no hint. */
const Step = ({ label, hint, children }: { label: string; hint: ReactNode; children?: ReactNode }) => (
  <li data-done={!hint || undefined}>
    {hint ? <IconCircle size={20} aria-label="Por hacer" /> : <IconCircleCheckFilled size={20} aria-label="Hecho" />}
    <div>
      <Text fw={600}>{label}</Text>
      {hint && <Text variant="detail">{hint}</Text>}
    </div>
    {children}
  </li>
);
