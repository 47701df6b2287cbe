import type { Cliente } from '../../contract/clientes.ts';
import type { Field } from '../../contract/fields.ts';
import type { BodyIn, ErrorBody } from '../../contract/kit.ts';
import { FIELDS, type PedidoFieldName, pedidoField } from '../../contract/pedidos.fields.ts';
import type { Linea } from '../../contract/pedidos.lineas.ts';
import type { createPedido, Pedido } from '../../contract/pedidos.ts';
import type { Pack, Product } from '../../contract/products.ts';
import { address } from '../demo/addresses.ts';
import { buildCatalogue } from '../demo/catalogue.ts';
import { personName, phone } from '../demo/names.ts';
import { seeded } from '../demo/random.ts';

/* Examples of the main schemas, from the data of the demonstration; always the same. */

const random = seeded(7);
const START = Date.UTC(2026, 2, 10, 9, 12);
const at = (days: number) => new Date(START + days * 86_400_000).toISOString();

const [sold] = buildCatalogue(random, START);
const [box] = sold?.packs ?? [];
if (!sold || !box) throw new Error('The demonstration has no catalogue');
const CANTIDAD = 2;
const precio_unitario = box.cents / 100;
const precio_total = (box.cents * CANTIDAD) / 100;

const cliente = {
  cliente_nombre: personName(random),
  cliente_telefono: phone(random),
  ...address(random, false),
  cliente_pais: 'España',
};
const revendedor = { revendedor_id: random.uuid(), revendedor_nombre: personName(random) };
const cliente_id = random.uuid();

const Producto: Product = {
  id: sold.row.id,
  name: sold.name,
  description: sold.description,
  stock: 240,
  min_stock: 48,
  is_active: true,
  packs_activos: sold.packs.length,
  picture: null,
  created_at: sold.row.created_at,
  version: 3,
};

const PackExample: Pack = {
  id: box.row.id,
  product_id: Producto.id,
  product_name: Producto.name,
  picture: null,
  name: box.name,
  alias: box.alias,
  pack_quantity: box.units,
  pack_price: precio_unitario,
  is_active: true,
  available: true,
  quedan: Math.floor(Producto.stock / box.units),
  created_at: Producto.created_at,
  version: 1,
};

const producto = `${sold.name} – ${box.name}`;
const linea: Linea = {
  numero: 1,
  pack_id: box.row.id,
  producto,
  cantidad: CANTIDAD,
  precio_unitario,
  precio_total,
  unidades: box.units * CANTIDAD,
};

const CreatePedidoBody: BodyIn<typeof createPedido> = {
  ...cliente,
  pack_id: box.row.id,
  cantidad: CANTIDAD,
  instrucciones: 'Dejar en conserjería si no hay nadie',
};

/** Empty value of a field: nothing written yet. */
const emptyOf = ({ kind, required, always }: Field & { always?: true }) =>
  required === undefined && !always ? null : kind === 'integer' || kind === 'money' ? 0 : kind === 'instant' ? at(0) : '';
const EMPTY = Object.fromEntries(FIELDS.map((name) => [name, emptyOf(pedidoField(name))])) as Pick<Pedido, PedidoFieldName>;

const PedidoExample: Pedido = {
  ...EMPTY,
  ...cliente,
  ...revendedor,
  id: random.uuid(),
  numero_orden: 'ORD-2026000042',
  estado: 'pendiente',
  precio_unitario,
  precio_total,
  pagado: precio_total,
  producto,
  cantidad: CANTIDAD,
  empresa_transporte: 'manual',
  instrucciones: CreatePedidoBody.instrucciones ?? null,
  fecha_estimada: at(3),
  unidades_retenidas: linea.unidades,
  num_lineas: 1,
  pack_id: box.row.id,
  version: 2,
  lineas: [linea],
  seguimiento_url: null,
  cliente_nota: null,
  avisar_antes: false,
  cliente_id,
  payment_link: null,
};

const ClienteExample: Cliente = {
  id: cliente_id,
  ...cliente,
  ...revendedor,
  pedidos: 1,
  total: precio_total,
  ultimo_pedido: at(0),
  nota: null,
  avisar_antes: false,
  bloqueado_motivo: null,
};

const ErrorExample: ErrorBody = {
  message: 'Stock insuficiente: quedan 3 unidades',
  errors: { cantidad: ['Stock insuficiente: quedan 3 unidades'] },
};

/** Examples by the name of their schema. */
export const EXAMPLES: Readonly<Record<string, unknown>> = {
  Cliente: ClienteExample,
  CreatePedidoBody,
  Error: ErrorExample,
  Linea: linea,
  Pack: PackExample,
  Pedido: PedidoExample,
  Producto,
};
