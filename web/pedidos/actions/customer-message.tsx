import { Button, Menu, Text } from '@mantine/core';
import { IconBrandWhatsapp, IconMessage, IconMessageForward, IconPhone } from '@tabler/icons-react';
import { avisoHref, CANALES, type CanalAviso, fillTexto, MOMENTOS, momentoDe } from '../../../contract/avisos-cliente/fields.ts';
import type { Pedido, PedidoDisponible } from '../../../contract/pedidos/pedidos.ts';
import { getUser } from '../../../contract/session/session.ts';
import { callHref } from '../../../contract/text/telephone.ts';
import { useApi } from '../../api.ts';
import { OnlyHere } from '../../session/only-here.tsx';
import { lastAnswer, useSession } from '../../session/session.ts';
import { sharedLink } from '../../session/shared-link.ts';
import { fechaCercana } from '../../ui/format/format.ts';

type Addressed = Pick<PedidoDisponible, 'numero_orden' | 'estado' | 'cliente_nombre' | 'cliente_direccion' | 'fecha_estimada'> &
  Partial<
    Pick<
      Pedido,
      | 'cliente_telefono'
      | 'cliente_pais'
      | 'cliente_direccion2'
      | 'motivo'
      | 'transportista_id'
      | 'transportista_nombre'
      | 'payment_link'
      | 'deleted_at'
    >
  >;

const ICON: Record<CanalAviso, typeof IconPhone> = { whatsapp: IconBrandWhatsapp, sms: IconMessage, llamada: IconPhone };
// Only for WhatsApp: «sms:» and «tel:» open an app, and their new tab would stay empty.
const NEW_TAB = { target: '_blank', rel: 'noopener noreferrer' } as const;

const THUMB = { label: { whiteSpace: 'normal', lineHeight: 1.15 }, section: { marginRight: 6 } } as const;

type Props = {
  pedido: Addressed;
  /** Touch size, for a row that already has a call button. */
  thumb?: boolean;
  small?: boolean;
};

/** «Avisar al cliente»: prepares the text for the order's state in the channels of the business. The user sends the message, not the server. */
export function CustomerMessage({ pedido, thumb = false, small = false }: Props) {
  const actor = useSession();
  // Refetches settings older than a minute, because the office may change the texts. Without coverage, uses the last answer.
  const { data } = useApi(getUser, {}, { staleTime: 60_000 });
  const { avisos } = (data ?? lastAnswer()?.session)?.negocio ?? {};
  const momento = momentoDe(pedido);
  if (!avisos || !momento) return null;
  const written = avisos.textos[momento] ?? MOMENTOS[momento].texto;
  const enlace = pedido.payment_link ? sharedLink(pedido.payment_link, data?.negocio.direccion) : '';
  const lacksLink = enlace === undefined && written.includes('{enlace}');
  const texto = fillTexto(written, {
    cliente: pedido.cliente_nombre,
    pedido: pedido.numero_orden,
    tienda: avisos.tienda || 'la tienda',
    direccion: [pedido.cliente_direccion, pedido.cliente_direccion2].filter(Boolean).join(', '),
    dia: pedido.fecha_estimada ? `el ${fechaCercana(pedido.fecha_estimada)}` : 'lo antes posible',
    repartidor: pedido.transportista_nombre ?? (pedido.transportista_id === actor.id ? actor.full_name : 'nuestro repartidor'),
    enlace: enlace ?? '',
  });
  const hrefOf = (canal: CanalAviso) => {
    if (canal !== 'llamada') return lacksLink ? undefined : avisoHref(canal, pedido, texto);
    return !thumb && pedido.cliente_telefono ? callHref(pedido.cliente_telefono, pedido.cliente_pais) : undefined;
  };
  const ways = avisos.canales.flatMap((canal) => {
    const href = hrefOf(canal);
    return href ? [{ canal, href, Icon: ICON[canal] }] : [];
  });
  if (ways.length === 0 && !lacksLink) return null;
  return (
    <Menu width="20rem">
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconMessageForward size={small ? 14 : 18} aria-hidden />}
          {...(small && { size: 'xs' })}
          {...(thumb && { mih: 48, px: 4, styles: THUMB, 'aria-label': 'Avisar al cliente' })}
        >
          {thumb ? 'Avisar' : 'Avisar al cliente'}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {MOMENTOS[momento].label}
          <Text span display="block" mt={4} c="var(--mantine-color-text)" style={{ overflowWrap: 'anywhere' }}>
            {texto}
          </Text>
          {lacksLink && <OnlyHere link={pedido.payment_link ?? ''} />}
        </Menu.Label>
        {ways.map(({ canal, href, Icon }) => (
          <Menu.Item
            key={canal}
            component="a"
            href={href}
            mih={thumb ? 48 : undefined}
            leftSection={<Icon size={16} aria-hidden />}
            {...(canal === 'whatsapp' && NEW_TAB)}
          >
            {CANALES[canal]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
