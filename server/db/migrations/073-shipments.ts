import { type Kysely, sql } from 'kysely';

type Column = [string, string, number];
const ADDRESS: Column[] = [
  ['Nombre', '{cliente_nombre}', 50],
  ['Direccion', '{cliente_direccion} {cliente_direccion2}', 100],
  ['CP', '{cliente_codigo_postal}', 10],
  ['Poblacion', '{cliente_ciudad}', 50],
  ['Provincia', '{cliente_provincia}', 40],
  ['Pais', '{cliente_pais}', 30],
  ['Telefono', '{cliente_telefono}', 20],
];
const LAST: Column[] = [
  ['Bultos', '1', 0],
  ['Reembolso', '{reembolso}', 0],
  ['Observaciones', '{instrucciones}', 80],
];
const SHIPPED: [string, string, string, string, Column[]][] = [
  ['correos', 'Correos', 'correos', 'latin1', [['Referencia', '{numero_orden}', 30], ...ADDRESS, ...LAST]],
  ['mrw', 'MRW', 'mrw', 'latin1', [['Referencia', '{numero_orden}', 20], ...ADDRESS, ...LAST]],
  ['gls', 'GLS', 'otro', 'utf8', [['Fecha', '{fecha}', 0], ['Referencia', '{numero_orden}', 20], ...ADDRESS, ...LAST]],
  ['seur', 'SEUR', 'otro', 'latin1', [['Referencia', '{numero_orden}', 20], ...ADDRESS, ...LAST]],
];

const STATEMENTS = [
  `CREATE TABLE plantillas_envio (
    id text PRIMARY KEY,
    nombre text NOT NULL,
    metodo_entrega text NOT NULL,
    columnas jsonb NOT NULL,
    separador text NOT NULL DEFAULT ';',
    codificacion text NOT NULL CHECK (codificacion IN ('utf8', 'latin1')),
    coma_decimal boolean NOT NULL DEFAULT true,
    con_titulos boolean NOT NULL DEFAULT true,
    verificada boolean NOT NULL DEFAULT false,
    version int NOT NULL DEFAULT 1
  )`,
  `CREATE TABLE envios (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    plantilla_id text NOT NULL REFERENCES plantillas_envio,
    empresa text NOT NULL,
    creado_por uuid REFERENCES users,
    creado_por_nombre text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now(),
    respondido_at timestamptz,
    sin_pareja jsonb NOT NULL DEFAULT '[]'
  )`,
  'CREATE INDEX envios_recientes ON envios (created_at DESC, id)',
  `CREATE TABLE envios_pedidos (
    envio_id uuid NOT NULL REFERENCES envios ON DELETE CASCADE,
    pedido_id uuid NOT NULL REFERENCES pedidos,
    resultado text CHECK (resultado IN ('completar', 'incidencia')),
    seguimiento text,
    -- Of the incident's words, so that the same one is noted once.
    huella text,
    PRIMARY KEY (envio_id, pedido_id)
  )`,
  'CREATE INDEX envios_pedidos_pedido ON envios_pedidos (pedido_id)',
];

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  for (const [id, nombre, metodo, codificacion, columns] of SHIPPED) {
    const columnas = JSON.stringify(columns.map(([titulo, expresion, max]) => ({ titulo, expresion, max })));
    await sql`INSERT INTO plantillas_envio (id, nombre, metodo_entrega, columnas, codificacion)
      VALUES (${id}, ${nombre}, ${metodo}, ${columnas}::jsonb, ${codificacion})`.execute(db);
  }
}
