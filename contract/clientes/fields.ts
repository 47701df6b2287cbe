/* Customers are derived from orders, per seller: by telephone, else by name and postcode. Joined customers are shown as one. */

export const MAX_NOTA = 1000;

export const MAX_MOTIVO_BLOQUEO = 300;

export const CLIENTE_SORTS = ['ultimo_pedido', 'nombre', 'pedidos', 'total'] as const;

export const VER_CLIENTES = ['bloqueados', 'avisar', 'separar'] as const;
