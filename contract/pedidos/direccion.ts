type Place = {
  cliente_direccion: string;
  cliente_direccion2: string | null;
  cliente_codigo_postal: string | null;
  cliente_ciudad: string | null;
  cliente_provincia: string | null;
  cliente_pais: string | null;
};

export const MAX_DIRECCION_VISTA = 1000;

/** Returns the address of an order as one text, to compare with the address that a phone showed. */
export const placeWords = (of: Place): string =>
  [of.cliente_direccion, of.cliente_direccion2, of.cliente_codigo_postal, of.cliente_ciudad, of.cliente_provincia, of.cliente_pais]
    .filter(Boolean)
    .join(', ')
    .slice(0, MAX_DIRECCION_VISTA);
