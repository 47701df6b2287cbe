/* Settings of web shops: off by default, and hidden while off. Each shop has its own secret and keys in «Tienda en línea». */

const SHOP = { tab: 'integrations', proof: 'la tienda en línea' } as const;

export const TIENDA_SETTINGS = {
  storeActive: {
    ...SHOP,
    kind: 'switch',
    initial: false,
    label: 'Tiendas en línea',
    hint: 'Los pedidos de tus tiendas entran solos. Añade cada una en Tienda en línea → Tiendas: allí están su dirección, su secreto y sus claves',
  },
  storeSecret: {
    ...SHOP,
    kind: 'password',
    min: 16,
    max: 200,
    isFor: [],
    label: 'Secreto de la dirección común',
    hint: 'Solo para una tienda que envía a /api/tienda/pedidos, la dirección de antes de que cada tienda tuviera la suya; al menos 16 caracteres',
  },
} as const;
