/** How each field of an order is called where it stands without its form: histories, conflicts. */
export const CAMPO_LABEL = {
  cliente_nombre: 'Nombre',
  cliente_telefono: 'Teléfono',
  cliente_direccion: 'Dirección',
  cliente_direccion2: 'Piso / Puerta / Oficina',
  cliente_codigo_postal: 'Código Postal',
  cliente_ciudad: 'Ciudad',
  cliente_provincia: 'Provincia / Estado',
  cliente_pais: 'País',
  instrucciones: 'Instrucciones',
  transportista_nombre: 'Transportista',
  empresa_transporte: 'Empresa de transporte',
  metodo_entrega: 'Método de entrega',
  numero_seguimiento: 'Número de seguimiento',
} as const;

/** The label of a field by its name on the wire; the name itself for one this version does not know. */
export const labelOf = (campo: string): string => new Map<string, string>(Object.entries(CAMPO_LABEL)).get(campo) ?? campo;
