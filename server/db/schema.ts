import type { ColumnType } from 'kysely';
import type { AuditType } from '../../contract/audit/fields.ts';
import type { Remesa } from '../../contract/caja/caja.ts';
import type { Diferencia } from '../../contract/cuadre/cuadre.ts';
import type { CAMINO, Destino, MotivoDevolucion, MotivoParte, PARCIAL } from '../../contract/devoluciones/fields.ts';
import type { CODIFICACIONES, Columna, SEPARADORES } from '../../contract/envios/plantilla.ts';
import type { Charged } from '../../contract/iva/breakdown.ts';
import type { Regimen } from '../../contract/iva/territory.ts';
import type { Metadata } from '../../contract/kit/fields.ts';
import type { Concepto, Gana } from '../../contract/liquidaciones/fields.ts';
import type { Margen } from '../../contract/liquidaciones/liquidaciones.ts';
import type { EstadoPago, Resolucion } from '../../contract/payments/fields.ts';
import type { Estado } from '../../contract/pedidos/estados.ts';
import type { MetodoEntrega } from '../../contract/pedidos/metodos.ts';
import type { Role } from '../../contract/policy/policy.ts';
import type { FormaEntrega, Relacion, SinComprobar, TipoPrueba } from '../../contract/pruebas/fields.ts';
import type { Format } from '../../contract/sheets/formats.ts';
import type { Situacion, Trato } from '../../contract/tienda/fields.ts';
import type { Lista } from '../../contract/vistas/fields.ts';
import type { WebhookEvent } from '../../contract/webhooks/fields.ts';
import type { Zona } from '../../contract/zonas/zonas.ts';
import type { Columns } from './columns.ts';

export type NewEstado = Extract<Estado, 'pendiente' | 'pendiente_pago'>;
declare const moved: unique symbol;
/** Estado reached by a transition; only pedidos/transition.ts may produce this type. */
export type MovedEstado = Estado & { readonly [moved]: true };

/** Row of a company's answer that matches no order. `de`: its answer; `tapada`: a later answer that names the same reference. */
export type Unmatched = { referencia: string; seguimiento: string | null; motivo: string; de?: string; tapada?: string };
/** What an answer wrote about an order, and what it overwrote. Ids: history entry, attempt, its fee, comment. */
export type AnswerEffect = {
  paso: string | null;
  intento: string | null;
  tarifa: string | null;
  comentario: string | null;
  antes: {
    estado: Estado;
    motivo: string | null;
    incidencia_at: string | null;
    cargado_at: string | null;
    salio_at: string | null;
    intento_at: string | null;
    intentos: number;
  };
  despues: { estado: Estado; incidencia_at: string | null };
  linea: { resultado: 'completar' | 'incidencia' | null; seguimiento: string | null; huella: string | null };
};
/** Columns of an order that a delivery overwrites, and that taking it back puts in again. */
export type Overwritten = {
  metodo_entrega: MetodoEntrega | null;
  numero_seguimiento: string | null;
  empresa_transporte: string;
  incidencia_at: string | null;
  en_empresa: string | null;
  en_empresa_at: string | null;
  iva_regimen: Regimen | null;
};

/** A file that a delivery announced. */
export type Anunciada = { tipo: TipoPrueba; sha256: string };

type Shown<T> = ColumnType<T, never, never>;

/** Written as an object, which the driver serialises as JSON. */
type MetadataColumn = ColumnType<Metadata | null, Metadata | null | undefined, Metadata | null>;

/** Narrows text columns to their allowed values; the database gives nullability and defaults. */
type Refinements = Existing<{
  audit_logs: { type: AuditType };
  backups: {
    origen: 'manual' | 'programada';
    estado: 'en_curso' | 'verificada' | 'error';
    fase: 'leyendo' | 'comprimiendo' | 'comprobando';
    verificacion: 'restaurada' | 'recuento';
  };
  clientes: { metadata: MetadataColumn };
  cuadres: { diferencias: ColumnType<Diferencia[], string | undefined, string> };
  devoluciones: { motivo: MotivoDevolucion | typeof PARCIAL };
  devoluciones_lineas: {
    destino: Destino | typeof CAMINO;
    motivo: ColumnType<MotivoParte | '', MotivoParte | '' | undefined, MotivoParte | ''>;
  };
  entregas: {
    forma_entrega: FormaEntrega;
    receptor_relacion: Relacion;
    anunciadas: ColumnType<Anunciada[], string | undefined, string>;
    sin_comprobar: ColumnType<SinComprobar[], SinComprobar[] | undefined, SinComprobar[]>;
  };
  envios: { sin_pareja: ColumnType<Unmatched[], string | undefined, string> };
  remesas: { aparte: ColumnType<Remesa['aparte'], string | undefined, string> };
  envios_pedidos: { resultado: 'completar' | 'incidencia' };
  respuestas_pedidos: { resultado: 'completar' | 'incidencia'; hecho: ColumnType<AnswerEffect | null, string | null, string | null> };
  exports: { formato: 'xlsx' | 'csv'; estado: 'en_curso' | 'listo' | 'error' | 'cancelado' };
  formatos: { uso: Format['uso']; respuestas: ColumnType<Format['respuestas'], string, string> };
  ganancias: { concepto: Concepto; zona: Zona };
  intentos: { anunciadas: ColumnType<Anunciada[], string | undefined, string> };
  liquidaciones: { role: Gana };
  margenes: { tipo: Margen['tipo'] };
  outbox: { channel: 'correo' | 'push' | 'webhook' | 'tienda' };
  pagos: { estado: EstadoPago };
  payment_events: { resolucion: Resolucion };
  pedidos: {
    estado: ColumnType<Estado, NewEstado, MovedEstado>;
    metodo_entrega: MetodoEntrega;
    metadata: MetadataColumn;
    iva_regimen: Regimen;
    iva_cobrado: ColumnType<Charged | null, Charged | null | undefined, Charged | null>;
  };
  tienda_formas: { trato: Trato };
  tienda_pedidos: {
    estado: 'recibido' | 'por_revisar' | 'creado' | 'ignorado';
    situacion: Situacion | null;
    leida: Situacion | null;
  };
  pedidos_historial: {
    antes: ColumnType<Overwritten | null, string | null | undefined, string | null>;
    estado_anterior: Estado;
    estado_nuevo: Estado;
    anunciadas: ColumnType<Anunciada[] | null, string | null | undefined, string | null>;
  };
  pedidos_totales: {
    ambito: Shown<'todo' | 'revendedor' | 'transportista'>;
    ambito_id: Shown<string>;
    dia: Shown<string>;
    estado: Shown<Estado>;
    pedidos: Shown<number>;
    total_cents: Shown<number>;
    por_cobrar: Shown<number>;
    por_cobrar_cents: Shown<number>;
  };
  plantillas_envio: {
    metodo_entrega: MetodoEntrega;
    columnas: ColumnType<Columna[], string, string>;
    separador: keyof typeof SEPARADORES;
    codificacion: keyof typeof CODIFICACIONES;
  };
  products: { metadata: MetadataColumn };
  pruebas: { tipo: TipoPrueba };
  tarifas: { zona: Zona };
  users: { role: Role };
  vistas: { lista: Lista };
  vistas_preferidas: { lista: Lista };
  webhooks: { eventos: WebhookEvent[] };
}>;

/** Fails to compile if a table or column does not exist. */
type Existing<
  R extends { [T in keyof R]: T extends keyof Columns ? { [C in keyof R[T]]: C extends keyof Columns[T] ? unknown : never } : never },
> = R;
type Refine<Column, To> = [To] extends [ColumnType<infer S, infer I, infer U>]
  ? ColumnType<S, I, U>
  : Column extends ColumnType<infer S, infer I, infer U>
    ? ColumnType<To | Extract<S, null>, To | Extract<I, null | undefined>, To | Extract<U, null>>
    : To | Extract<Column, null>;
type Refined<Table, R> = { [C in keyof Table]: C extends keyof R ? Refine<Table[C], R[C]> : Table[C] };

export type Tables = { [T in keyof Columns]: T extends keyof Refinements ? Refined<Columns[T], Refinements[T]> : Columns[T] };
export type UsersTable = Tables['users'];
export type PedidosTable = Tables['pedidos'];
