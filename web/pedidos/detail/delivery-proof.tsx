import { Badge, Group, Text } from '@mantine/core';
import { palabrasEntrega, palabrasSinComprobar, TIPO_LABEL } from '../../../contract/pruebas/fields.ts';
import { getEntrega } from '../../../contract/pruebas/pruebas.ts';
import { plural } from '../../../contract/text/plural.ts';
import { useApi } from '../../api.ts';
import { fechaHora } from '../../ui/format/format.ts';
import { Section } from '../../ui/page/panel.tsx';
import classes from './timeline.module.css';

/** Shows how an order was delivered, with signature and photo for people who may see them; nothing for a delivery without proof. */
export default function DeliveryProof({ id }: { id: string }) {
  const { data } = useApi(getEntrega, { params: { id } });
  const entrega = data?.data;
  if (!entrega) return null;
  const { pruebas, faltan, pin_correcto, pin_fallos, sin_comprobar } = entrega;
  return (
    <Section title="Entrega" order={3} mb="xs">
      <Text>{palabrasEntrega(entrega)}</Text>
      {pin_correcto && <Text>El PIN del cliente es correcto</Text>}
      {sin_comprobar.length > 0 && (
        <Text c="var(--mantine-color-error)">Registrado más tarde, sin cobertura: {palabrasSinComprobar(sin_comprobar)}</Text>
      )}
      {!pin_correcto && pin_fallos > 0 && !sin_comprobar.includes('pin') && (
        <Text c="var(--mantine-color-error)">Sin PIN, tras {plural(pin_fallos, 'intento fallido', 'intentos fallidos')}</Text>
      )}
      <Group mt="xs" align="flex-start">
        {pruebas.map(({ id: prueba, tipo, url, created_at }) =>
          url ? (
            <a key={prueba} href={url} target="_blank" rel="noreferrer" className={classes.proof}>
              <img src={url} alt={`${TIPO_LABEL[tipo]} de la entrega, ${fechaHora(created_at)}`} loading="lazy" />
            </a>
          ) : (
            <Badge key={prueba} color="gray">
              {TIPO_LABEL[tipo]} enviada
            </Badge>
          ),
        )}
        {faltan.map((tipo, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two missing photos have the same type
          <Badge key={`${tipo} ${i}`} color="orange" role="status">
            Falta la {TIPO_LABEL[tipo].toLowerCase()}
          </Badge>
        ))}
      </Group>
    </Section>
  );
}
