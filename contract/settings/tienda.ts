/* Settings of the web shop: off by default, and hidden while off. */

const SHOP = { tab: 'integrations', proof: 'la tienda en línea' } as const;

export const TIENDA_SETTINGS = {
  storeActive: {
    ...SHOP,
    kind: 'switch',
    initial: false,
    label: 'Tienda WooCommerce',
    hint: 'Los pedidos de tu tienda en línea entran solos, por la dirección de tu Enruta seguida de /api/tienda/pedidos',
  },
  storeSecret: {
    ...SHOP,
    kind: 'password',
    min: 16,
    max: 200,
    isFor: [],
    label: 'Secreto de los webhooks de la tienda',
    hint: 'El mismo que escribes en cada webhook de WooCommerce; al menos 16 caracteres',
  },
  storeUrl: {
    ...SHOP,
    kind: 'text',
    initial: '',
    max: 300,
    matches: (url: string) => /^https:\/\/[^\s/]+/.test(url),
    invalid: 'La dirección de la tienda, que empieza por https://',
    label: 'Dirección de la tienda',
    hint: 'Para preguntar a la tienda por pedidos que no ha enviado, y decirle el estado, el seguimiento y los reembolsos',
  },
  storeKey: {
    ...SHOP,
    kind: 'text',
    initial: '',
    max: 100,
    label: 'Clave de cliente (ck_…)',
    hint: 'De la API REST de WooCommerce, con lectura y escritura',
  },
  storeKeySecret: { ...SHOP, kind: 'password', max: 200, isFor: ['storeUrl', 'storeKey'], label: 'Clave secreta de cliente (cs_…)' },
} as const;
