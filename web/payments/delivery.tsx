import { Button, Text } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { type PagoPublico, permitirVecino } from '../../contract/pagar/pagar.ts';
import { TIPO_LABEL } from '../../contract/pruebas/fields.ts';
import { useMutate } from '../api.ts';
import { fecha } from '../ui/format/format.ts';
import { Section } from '../ui/page/section.tsx';
import classes from './pagar.module.css';

type Props = { entrega: NonNullable<PagoPublico['entrega']>; token: string };

/** PIN and permission for a neighbour before the delivery; outcome and proofs afterwards. */
export default function Delivery({ entrega: { pin, vecino, texto, pruebas }, token }: Props) {
  if (!pin && !vecino && !texto && pruebas.length === 0) return null;
  return (
    <Section title={texto || pruebas.length ? 'Cómo se entregó' : 'Para la entrega'} className={classes.block}>
      {pin && (
        <>
          <p className={classes.amount}>
            <span className={classes.pin}>{pin}</span>
          </p>
          <Text size="sm">Es tu PIN: dáselo al transportista cuando tengas el paquete, no antes.</Text>
        </>
      )}
      {vecino && <Neighbour since={vecino.permitido_at} token={token} />}
      {texto && <Text mt="xs">{texto}</Text>}
      {pruebas.map(({ tipo, url }) => (
        <a key={url} href={url} target="_blank" rel="noreferrer" className={classes.proof}>
          <img src={url} alt={`${TIPO_LABEL[tipo]} de la entrega`} loading="lazy" />
        </a>
      ))}
    </Section>
  );
}

function Neighbour({ since, token }: { since: string | null; token: string }) {
  const say = useMutate(permitirVecino, { failure: 'No se pudo guardar' });
  const send = (permitido: boolean) => say.mutate({ params: { token }, body: { permitido } });
  return (
    <div className={classes.say} aria-live="polite">
      {since && (
        <Text size="sm" className={classes.said}>
          <IconCheck size={18} aria-hidden />
          El {fecha(since)} dijiste que podemos dejarlo a un vecino.
        </Text>
      )}
      <Button variant="default" mih={44} fullWidth loading={say.isPending} onClick={() => send(!since)}>
        {since ? 'Ya no quiero que se deje a un vecino' : 'Puedes dejarlo a un vecino'}
      </Button>
    </div>
  );
}
