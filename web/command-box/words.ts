/** Synonyms of an entry's label, by the id of the entry. */
export const WORDS: Readonly<Record<string, string>> = {
  '/control-stock': 'productos packs inventario almacén',
  '/gestion-usuarios?rol=superadmin': 'administradores',
  '/admin': 'panel de administración',
  '/admin?tab=logs': 'registro de cambios historial',
  '/exportar-datos': 'descargar excel csv',
  '/configuracion': 'ajustes',
  '/mi-cuenta': 'perfil cambiar contraseña sesiones verificación en dos pasos',
  '/pedidos/nuevo': 'crear',
  nuevo: 'nuevo',
  importar: 'excel csv subir hoja shopify woocommerce',
  'stock-bajo': 'agotado reponer mínimo faltan',
  tema: 'modo claro oscuro noche dark light',
  actualizar: 'recargar',
  salir: 'logout',
};
