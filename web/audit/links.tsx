import { Anchor } from '@mantine/core';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';

type Target = Pick<LinkProps, 'to'> & { params?: Record<string, string>; search?: Record<string, string> };

/** Screen of each kind of entity in the log. Deleted orders also have a screen. */
const TARGETS: Partial<Record<string, (id: string) => Target>> = {
  pedido: (id) => ({ to: '/pedidos/$id', params: { id } }),
  cliente: (id) => ({ to: '/clientes/$id', params: { id } }),
  profile: (id) => ({ to: '/gestion-usuarios', search: { usuario: id } }),
  product: (id) => ({ to: '/control-stock', search: { abrir: id } }),
  pack: (id) => ({ to: '/control-stock', search: { abrir_pack: id } }),
  settings: () => ({ to: '/configuracion' }),
  backup: () => ({ to: '/configuracion', search: { tab: 'database' } }),
  webhook: () => ({ to: '/configuracion', search: { tab: 'integrations' } }),
  export: () => ({ to: '/exportar-datos' }),
  liquidacion: (id) => ({ to: '/liquidaciones/$id', params: { id } }),
  envio: () => ({ to: '/envios' }),
  pago: () => ({ to: '/pagos-por-revisar' }),
  tienda: () => ({ to: '/tienda' }),
};
const ALWAYS_THERE = ['settings', 'backup', 'webhook', 'export', 'pago', 'tienda'];

export function EntityLink({ entity, id, children }: { entity: unknown; id: unknown; children: ReactNode }) {
  const target = TARGETS[String(entity)];
  if (!target || (typeof id !== 'string' && !ALWAYS_THERE.includes(String(entity)))) return children;
  return (
    <Anchor
      inherit
      display="inline-block"
      mih={24}
      renderRoot={(props) => <Link {...props} {...(target(String(id)) as LinkProps)} preload={false} />}
    >
      {children}
    </Anchor>
  );
}
