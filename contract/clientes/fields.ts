/* Customers, derived from orders: by telephone, else name and postcode, per seller. Joined customers read as one. */

export const MAX_NOTA = 1000;

export const MAX_MOTIVO_BLOQUEO = 300;

export const CLIENTE_SORTS = ['ultimo_pedido', 'nombre', 'pedidos', 'total'] as const;

export const VER_CLIENTES = ['bloqueados', 'avisar'] as const;
