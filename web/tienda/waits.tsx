import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { BodyIn } from '../../contract/kit/endpoint.ts';
import { PARTE_LABEL, TRATO_LABEL, TRATOS } from '../../contract/tienda/fields.ts';
import { corregirTienda, type LineaTienda, type PedidoTienda, setForma } from '../../contract/tienda/tienda.ts';
import { useMutate } from '../api.ts';
import { Match } from './match.tsx';

/** Asks for the pack of a shop's product. */
function Unknown({ pedido: { id, tienda_id }, linea }: { pedido: PedidoTienda; linea: LineaTienda }) {
  const correct = useMutate(corregirTienda, { failure: 'No se pudo guardar el pack' });
  const { n, clave, nombre, texto, cantidad } = linea;
  return (
    <Match
      label={`${cantidad} × ${nombre}${clave && !clave.startsWith('#') ? ` (${clave})` : ''}`}
      description={[texto, !clave && 'No tiene código en la tienda: se pregunta cada vez'].filter(Boolean).join(' · ')}
      product={{ ...linea, tienda_id }}
      {...(!clave && { onLine: (answer) => correct.mutate({ params: { id }, body: { lineas: [{ n, ...answer }] } }) })}
    />
  );
}

/** Asks for a decision about the payment method, pickup or state. */
function Asked({ pedido: { id, tienda_id, forma, recogida, puede_ser, en_duda, estado } }: { pedido: PedidoTienda }) {
  const name = useMutate(setForma, { failure: 'No se pudo guardar la forma de pago' });
  const correct = useMutate(corregirTienda, { failure: 'No se pudo guardar' });
  if (estado !== 'por_revisar') return null;
  const answer = (words: string, body: BodyIn<typeof corregirTienda>) => (
    <Button key={words} size="compact-xs" variant="light" onClick={() => correct.mutate({ params: { id }, body })}>
      {words}
    </Button>
  );
  return (
    <>
      {puede_ser && <Group>{answer(`Es ${puede_ser}`, { es_ese: true })}</Group>}
      {en_duda && <Group>{answer('Hacer el pedido', { hacer: true })}</Group>}
      {forma && (
        <Group gap="xs" role="group" aria-label={`Cómo se paga «${forma.titulo}»`}>
          {TRATOS.map((trato) => (
            <Button
              key={trato}
              size="compact-xs"
              variant="light"
              onClick={() =>
                // The answer for a method without a key holds only for this order.
                forma.clave ? name.mutate({ body: { tienda_id, ...forma, trato } }) : correct.mutate({ params: { id }, body: { trato } })
              }
            >
              {TRATO_LABEL[trato]}
            </Button>
          ))}
        </Group>
      )}
      {recogida && (
        <Group gap="xs" role="group" aria-label={`Entrega: ${recogida}`}>
          {answer('Lo recoge el cliente', { entrega: 'recoge' })}
          {answer('Se envía a su dirección', { entrega: 'enviar' })}
        </Group>
      )}
    </>
  );
}

/** Reason why a shop's order waits, questions to answer at once, and the message in words. */
export function Waits({ pedido }: { pedido: PedidoTienda }) {
  return (
    <Stack gap={8}>
      <Text size="sm">{pedido.aviso ?? pedido.motivo ?? 'Se está leyendo…'}</Text>
      {pedido.cambios.map(({ parte, antes, ahora }) => (
        <Text key={parte} size="xs" style={{ overflowWrap: 'anywhere' }}>
          Ha cambiado {PARTE_LABEL[parte]}. Aquí: {antes}. En la tienda: <b>{ahora}</b>
        </Text>
      ))}
      {pedido.lineas
        .filter(({ pack_id, sin_mercancia }) => pack_id === null && !sin_mercancia)
        .map((linea) => (
          <Unknown key={linea.n} pedido={pedido} linea={linea} />
        ))}
      <Asked pedido={pedido} />
      {pedido.mensaje.length > 0 && (
        <details>
          <Text component="summary" size="xs">
            Lo que dice la tienda
          </Text>
          {pedido.mensaje.map(({ que, texto }) => (
            <Text key={que} size="xs" style={{ overflowWrap: 'anywhere' }}>
              {que}: {texto}
            </Text>
          ))}
        </details>
      )}
      {pedido.pedido_id && (
        <Text size="xs">
          <Anchor
            inherit
            underline="always"
            renderRoot={(props) => <Link {...props} to="/pedidos/$id" params={{ id: pedido.pedido_id ?? '' }} />}
          >
            {pedido.numero_orden}
          </Anchor>
        </Text>
      )}
    </Stack>
  );
}
