import type { ClienteField } from '../pedidos/fields.ts';
import { countryCode } from '../text/country-code.ts';
import { readNif } from '../text/nif.ts';
import { zonaOf } from '../zonas/zonas.ts';

/*
 * Where goods go, for VAT: the only place that decides it (Ley 37/1992; Directive 2006/112). Orders, rows to invoice, exports and the web
 * shop's orders all ask here.
 */

/**
 * How a sale of goods is taxed. `interior`: mainland and Balearic Islands. `exportacion`: exempt as an export (art. 21), to the Canary Islands,
 * Ceuta, Melilla and third countries. `ue`: another member state, at the shop's own rate (art. 68.Tres, below the threshold; OSS is not
 * known here). `intracomunitaria`: exempt (art. 25). `desconocido`: an unknown country, at the shop's own rate. `no_sujeto` and `anterior`:
 * declared before 0.3.0 by an earlier rule, without VAT and at the shop's own rate.
 */
export const REGIMENES = ['interior', 'exportacion', 'ue', 'intracomunitaria', 'desconocido', 'no_sujeto', 'anterior'] as const;
export type Regimen = (typeof REGIMENES)[number];

/** An order's facts that decide its VAT. */
export type Territorio = Partial<Record<ClienteField, string | null>> & {
  estado?: string | undefined;
  /** Stored at the delivery. Before, only set if the owner has declared an intra-Community supply. */
  iva_regimen?: string | null | undefined;
};

const UE = new Set('AT BE BG CY CZ DE DK EE FI FR GR HR HU IE IT LT LU LV MC MT NL PL PT RO SE SI SK XI'.split(' '));
/** Parts of member states outside the territory of VAT, by postcode (Directive 2006/112, art. 6). */
const OUTSIDE: Readonly<Record<string, RegExp>> = {
  DE: /^(27498|78266)$/,
  FI: /^22\d{3}$/,
  FR: /^9(7|8[678])\d+$/,
  GR: /^63086$/,
  IT: /^(23041|22061)$/,
};

/** Returns the country of an address for VAT: `XI` for Northern Ireland, `FR` for Monaco; undefined for an unknown name. */
function stateOf({ cliente_pais, cliente_codigo_postal, cliente_provincia }: Territorio): string | undefined {
  const code = countryCode(cliente_pais);
  const isNorthern =
    code === 'GB' &&
    (/^\s*BT\d/i.test(cliente_codigo_postal ?? '') || /irlanda del norte|northern ireland/i.test([cliente_pais, cliente_provincia].join()));
  return isNorthern ? 'XI' : code === 'MC' ? 'FR' : code;
}

/** Returns how an order is taxed: as stored at its delivery, else by its address, tax number and the owner's declaration. */
export function taxRegimen(order: Territorio): Regimen {
  const kept = REGIMENES.find((regimen) => regimen === order.iva_regimen);
  if (kept && order.estado === 'completado') return kept;
  const state = stateOf(order);
  if (state === undefined) return 'desconocido';
  if (state === 'ES') {
    const zona = zonaOf(order);
    return zona === 'canarias' || zona === 'ceuta_melilla' ? 'exportacion' : 'interior';
  }
  const digits = (order.cliente_codigo_postal ?? '').replace(/\D/g, '');
  if (!UE.has(state) || OUTSIDE[state]?.test(digits)) return 'exportacion';
  return kept === 'intracomunitaria' && mayBeSupply(order) ? kept : 'ue';
}

/** True if the order goes to another member state and has a VAT number of that state, as art. 25 requires. */
export function mayBeSupply(order: Territorio): boolean {
  const state = stateOf(order);
  const { state: number } = readNif(order.cliente_nif ?? '');
  return number !== undefined && number === state && UE.has(number);
}
