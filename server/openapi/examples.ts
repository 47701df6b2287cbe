import type { Cliente } from '../../contract/clientes/clientes.ts';
import type { BodyIn, ErrorBody } from '../../contract/kit/endpoint.ts';
import type { Field } from '../../contract/kit/fields.ts';
import { FIELDS, type PedidoFieldName, pedidoField } from '../../contract/pedidos/fields.ts';
import type { Linea } from '../../contract/pedidos/lineas.ts';
import type { createPedido, Pedido } from '../../contract/pedidos/pedidos.ts';
import type { Pack, Product } from '../../contract/products/products.ts';

/* Examples of the main schemas. */

const at = (days: number) => new Date(Date.UTC(2026, 2, 10 + days, 9, 12)).toISOString();

const CANTIDAD = 2;
const precio_unitario = 53.9;
const precio_total = precio_unitario * CANTIDAD;

const cliente = {
  cliente_nombre: 'Pilar Lozano Casas',
  cliente_telefono: '743 923 484',
  cliente_direccion: 'Plaza Nueva, 14',
  cliente_direccion2: 'Oficina 4',
  cliente_ciudad: 'Vitoria-Gasteiz',
  cliente_provincia: 'Álava',
  cliente_codigo_postal: '01009',
  cliente_pais: 'España',
  cliente_nif: null,
};
const revendedor = { revendedor_id: 'fc6d1cb7-d74c-479f-aee2-00f06fd28eaf', revendedor_nombre: 'Agustín Pardo Sierra' };
const cliente_id = '29920bcd-b17c-4b75-b40b-a5d79c1619f8';

const Producto: Product = {
  id: '02ff152c-0fdc-4f12-aa16-9e5eb2f38b96',
  name: 'Aceite de oliva virgen extra 500 ml',
  description: 'Manzanilla cacereña de la Sierra de Gata, primera prensada en frío',
  stock: 240,
  min_stock: 48,
  is_active: true,
  packs_activos: 3,
  picture: null,
  metadata: null,
  created_at: at(-6),
  version: 3,
};

const PackExample: Pack = {
  id: '67d044f4-775b-4595-ad6b-bcab8da6bf2d',
  product_id: Producto.id,
  product_name: Producto.name,
  picture: null,
  name: 'Caja de 6 botellas',
  alias: 'AOVE-6',
  pack_quantity: 6,
  pack_price: precio_unitario,
  is_active: true,
  available: true,
  quedan: 40,
  created_at: Producto.created_at,
  version: 1,
};

const producto = `${Producto.name} – ${PackExample.name}`;
const linea: Linea = {
  numero: 1,
  pack_id: PackExample.id,
  producto,
  cantidad: CANTIDAD,
  precio_unitario,
  precio_total,
  unidades: PackExample.pack_quantity * CANTIDAD,
};

const CreatePedidoBody: BodyIn<typeof createPedido> = {
  ...cliente,
  pack_id: PackExample.id,
  cantidad: CANTIDAD,
  instrucciones: 'Dejar en conserjería si no hay nadie',
};

const emptyOf = ({ kind, required, always }: Field & { always?: true }) =>
  required === undefined && !always
    ? null
    : kind === 'flag'
      ? false
      : kind === 'integer' || kind === 'money'
        ? 0
        : kind === 'instant'
          ? at(0)
          : '';
const EMPTY = Object.fromEntries(FIELDS.map((name) => [name, emptyOf(pedidoField(name))])) as Pick<Pedido, PedidoFieldName>;

const PedidoExample: Pedido = {
  ...EMPTY,
  ...cliente,
  ...revendedor,
  id: '6241e946-4b9e-40d0-a72c-5fdcaef74d46',
  numero_orden: 'ORD-2026000042',
  estado: 'pendiente',
  metadata: { woo_id: '10482' },
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
  pack_id: PackExample.id,
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
  metadata: { crm_id: '4471' },
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
