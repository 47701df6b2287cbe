import { countryNamed, isSpain, readCountry, readPostcode } from '../text/country.ts';
import { plainNif } from '../text/nif.ts';
import { provinciaOfCode } from '../text/provincias.ts';

type Shown = {
  cliente_direccion: string;
  cliente_direccion2: string | null;
  cliente_codigo_postal: string | null;
  cliente_ciudad: string | null;
  cliente_provincia: string | null;
  cliente_pais: string | null;
};

export const MAX_DIRECCION_VISTA = 1000;

/** Returns the address of an order as one text, to compare with the address that a phone showed. */
export const placeWords = (of: Shown): string =>
  [of.cliente_direccion, of.cliente_direccion2, of.cliente_codigo_postal, of.cliente_ciudad, of.cliente_provincia, of.cliente_pais]
    .filter(Boolean)
    .join(', ')
    .slice(0, MAX_DIRECCION_VISTA);

type Place = Partial<Record<'cliente_codigo_postal' | 'cliente_provincia' | 'cliente_pais' | 'cliente_nif', string | null | undefined>>;

/**
 * Returns the place as stored, in one spelling: a Spanish postcode in five digits, Spain as «España», provinces and countries by name instead of
 * code («M», «PT»), a tax number as the law writes it.
 */
export function storedPlace<P extends Place>(place: P): P {
  const { cliente_codigo_postal, cliente_provincia, cliente_pais, cliente_nif } = place;
  const written = cliente_nif ? { ...place, cliente_nif: plainNif(cliente_nif) } : place;
  if (!isSpain(cliente_pais)) return { ...written, cliente_pais: countryNamed(cliente_pais?.trim() ?? '') };
  const digits = readPostcode(cliente_codigo_postal);
  const provincia = provinciaOfCode(cliente_provincia?.trim() ?? '');
  // Without a postcode, keeps an island named as the country: only the name locates the address.
  const named = cliente_pais?.trim() && (digits || !readCountry(cliente_pais).part);
  return {
    ...written,
    ...(digits && { cliente_codigo_postal: digits }),
    ...(provincia && { cliente_provincia: provincia }),
    ...(named && { cliente_pais: 'España' }),
  };
}
