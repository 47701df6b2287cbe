/* The demo's accounts. */

export const ADMIN = { email: 'admin@demo.enruta.es', password: 'aceite-de-oliva' };
export const RESELLER = { email: 'revendedor@demo.enruta.es', password: 'miel-de-encina' };
export const CARRIER = { email: 'transportista@demo.enruta.es', password: 'camino-de-plata' };
