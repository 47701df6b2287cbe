import type { Estado } from '../contract/pedidos/estados.ts';

type Row = { from: Estado; to: Estado; who: 'superadmin' | 'carrier' | 'owner'; needs?: Record<string, string> };

const metodo = { metodo_entrega: 'manual' };

/** The design's state table (section 4.1), copied by hand so that the tests do not depend on the program's table. */
export const STATE_TABLE: Row[] = [
  { from: 'pendiente_pago', to: 'pendiente', who: 'superadmin', needs: { referencia: 'TRF-1' } },
  { from: 'pendiente_pago', to: 'cancelado', who: 'owner' },
  // Carriers take orders through one endpoint; superadmins assign them through another.
  { from: 'pendiente', to: 'asignado', who: 'superadmin', needs: { transportista_id: '' } },
  { from: 'pendiente', to: 'completado', who: 'superadmin', needs: metodo },
  { from: 'pendiente', to: 'cancelado', who: 'superadmin' },
  { from: 'asignado', to: 'en_proceso', who: 'carrier' },
  { from: 'asignado', to: 'en_ruta', who: 'carrier' },
  { from: 'asignado', to: 'completado', who: 'carrier', needs: metodo },
  { from: 'asignado', to: 'pendiente', who: 'carrier' },
  { from: 'asignado', to: 'cancelado', who: 'superadmin' },
  { from: 'en_proceso', to: 'en_ruta', who: 'carrier' },
  { from: 'en_proceso', to: 'completado', who: 'carrier', needs: metodo },
  { from: 'en_proceso', to: 'asignado', who: 'carrier' },
  { from: 'en_proceso', to: 'cancelado', who: 'superadmin' },
  { from: 'en_ruta', to: 'completado', who: 'carrier', needs: metodo },
  { from: 'en_ruta', to: 'asignado', who: 'carrier', needs: { motivo: 'No había nadie' } },
  { from: 'en_ruta', to: 'cancelado', who: 'superadmin' },
];
