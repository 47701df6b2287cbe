import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { PARTE_LABEL, TRATO_LABEL, TRATOS } from '../../contract/tienda/fields.ts';
import { corregirTienda, emparejarTienda, type LineaTienda, type PedidoTienda, setForma } from '../../contract/tienda/tienda.ts';
import { useMutate } from '../api.ts';
import { packLabel } from '../pedidos/lineas/pack-label.ts';
import { PackPicker, usePacks } from '../pedidos/lineas/pack-picker.tsx';

/** Product of the shop without a known pack: a person picks its pack, once for all unless the line has no key. */
function Unknown({ pedido, linea }: { pedido: PedidoTienda; linea: LineaTienda }) {
  const { packs } = usePacks();
  const match = useMutate(emparejarTienda, { failure: 'No se pudo guardar el pack' });
  const correct = useMutate(corregirTienda, { failure: 'No se pudo guardar el pack' });
  const { n, clave, nombre, texto, cantidad, sugerido_id } = linea;
  const { id, tienda_id } = pedido;
  const assign = (answer: { pack_id: string } | { sin_mercancia: true }) =>
    clave
      ? match.mutate({ body: { clave, tienda_id, ...answer } })
      : correct.mutate({ params: { id }, body: { lineas: [{ n, ...answer }] } });
  const suggested = packs?.find((pack) => pack.id === sugerido_id);
  return (
    <Stack gap={4}>
      <PackPicker
        size="xs"
        label={`${cantidad} × ${nombre}${clave && !clave.startsWith('#') ? ` (${clave})` : ''}`}
        description={[texto, !clave && 'No tiene código en la tienda: se pregunta cada vez'].filter(Boolean).join(' · ') || undefined}
        packs={packs}
        value={null}
        onChange={(pack_id) => pack_id && assign({ pack_id })}
      />
      <Group gap="xs">
        {suggested && (
          <Button size="compact-xs" variant="light" onClick={() => assign({ pack_id: suggested.id })}>
            Sí, es {packLabel(suggested)}
          </Button>
        )}
        <Button size="compact-xs" variant="subtle" onClick={() => assign({ sin_mercancia: true })} aria-label={`${nombre} no es mercancía`}>
          No es mercancía
        </Button>
      </Group>
    </Stack>
  );
}

/** Payment method or pickup that a person has to name. */
function Asked({ pedido: { id, tienda_id, forma, recogida, estado } }: { pedido: PedidoTienda }) {
  const name = useMutate(setForma, { failure: 'No se pudo guardar la forma de pago' });
  const correct = useMutate(corregirTienda, { failure: 'No se pudo guardar' });
  if (estado !== 'por_revisar') return null;
  return (
    <>
      {forma && (
        <Group gap="xs" role="group" aria-label={`Cómo se paga «${forma.titulo}»`}>
          {TRATOS.map((trato) => (
            <Button
              key={trato}
              size="compact-xs"
              variant="light"
              onClick={() =>
                // A method without a key is asked each time.
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
          <Button size="compact-xs" variant="light" onClick={() => correct.mutate({ params: { id }, body: { entrega: 'recoge' } })}>
            Lo recoge el cliente
          </Button>
          <Button size="compact-xs" variant="light" onClick={() => correct.mutate({ params: { id }, body: { entrega: 'enviar' } })}>
            Se envía a su dirección
          </Button>
        </Group>
      )}
    </>
  );
}

/** Why an order of a shop waits, what a person can answer at once, and the message in words. */
export function Waits({ pedido }: { pedido: PedidoTienda }) {
  return (
    <Stack gap={6}>
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
