import { EFECTIVO_LIMITE, overCash } from '../pedidos/contra-reembolso.ts';
import { EDITABLE_FIELDS, type EditableField, type PedidoFieldName } from '../pedidos/fields.ts';
import { isSpain, typedPostcode } from '../text/country.ts';
import { countryCode } from '../text/country-code.ts';
import { PROVINCIAS, provinciaByPostcode } from '../text/provincias.ts';
import { isMadeUp, isWholeTelephone, telephoneDigits } from '../text/telephone.ts';
import { namesOfTown, type Provinces, postcodePrefix, placeWords as wordsOf } from './towns.ts';

/*
 * What is doubtful about an order, each rule once. Each door asks them in its own way (test/doors.test.ts): before anything is made where a
 * person looks, else as a notice beside the order. The data may be right, so a doubt blocks only where no way leads on without an answer.
 */

/** An order as it comes in by any door. `recogida`: where the customer collects it; `elegido`: what the customer chose besides the goods. */
export type Draft = { [N in EditableField]?: string | null } & {
  contra_reembolso?: boolean | null;
  total_cents?: number;
  fecha_estimada?: string | null;
  moneda?: string;
  recogida?: string | undefined;
  elegido?: string | undefined;
};

/**
 * What a door knows beside the order; a rule whose facts are unknown asks nothing. `provinces`: towns by province; `same`: number of an order that
 * may be the same; `paper`: what a company's file cannot hold whole; `now`: ms since 1970.
 */
export type DoubtFacts = { provinces?: Provinces; same?: string | undefined; paper?: string | undefined; now?: number };

type Rule = {
  /** Field that a correction changes. */
  field: PedidoFieldName;
  /** Returns a Spanish sentence, or undefined. Texts are never null. */
  asks: (draft: Asked, facts: DoubtFacts) => string | undefined;
  /** What a person can answer; without `seguir` the order is not made before. */
  ways: readonly ('corregir' | 'seguir' | 'enviar' | 'recoger')[];
};
type Asked = Omit<Draft, EditableField> & Record<EditableField, string>;

const LOOK = ['corregir', 'seguir'] as const;
const STOP = ['corregir'] as const;

const RULES = {
  telefono: {
    field: 'cliente_telefono',
    ways: LOOK,
    asks: ({ cliente_telefono: written, cliente_pais }) =>
      written && !isWholeTelephone(written, cliente_pais) ? `El teléfono ${written} no parece completo.` : undefined,
  },
  pais: {
    field: 'cliente_pais',
    ways: LOOK,
    asks: ({ cliente_pais }) => (countryCode(cliente_pais) ? undefined : `No se conoce el país ${cliente_pais}.`),
  },
  codigo_postal: {
    field: 'cliente_codigo_postal',
    ways: LOOK,
    asks: ({ cliente_codigo_postal: written, cliente_pais }) => {
      const known = typedPostcode(written).length === 5 && provinciaByPostcode(written, cliente_pais);
      return !written || known || !isSpain(cliente_pais) ? undefined : `El código postal ${written} no es de España.`;
    },
  },
  provincia: { field: 'cliente_provincia', ways: LOOK, asks: otherProvince },
  poblacion: { field: 'cliente_ciudad', ways: LOOK, asks: otherTown },
  puerta: {
    field: 'cliente_direccion2',
    ways: LOOK,
    asks: ({ cliente_direccion, cliente_direccion2 }) => {
      const date = dateIn(cliente_direccion2) ?? dateIn(cliente_direccion);
      if (date) return `«${date}» parece una fecha: ¿qué piso o número es?`;
      const whole = `${cliente_direccion} ${cliente_direccion2}`;
      return !cliente_direccion || /\d|\bs\s?\/\s?n|sin n[uú]mero/i.test(whole)
        ? undefined
        : `La dirección ${cliente_direccion} no lleva número, piso ni puerta.`;
    },
  },
  cortada: {
    field: 'cliente_direccion',
    ways: LOOK,
    // Other programs cut at these lengths; a whole address seldom ends there in the middle of the street's name.
    asks: ({ cliente_direccion: written, cliente_direccion2 }) =>
      [30, 32, 35, 40, 50, 60, 64, 100].includes(written.length) && !cliente_direccion2 && !/\d[^\d]{0,12}$/.test(written)
        ? `La dirección acaba en «…${written.slice(-12)}», justo a los ${written.length} caracteres: puede estar cortada.`
        : undefined,
  },
  franja: { field: 'franja_horaria', ways: LOOK, asks: oddHours },
  dia: {
    field: 'fecha_estimada',
    ways: LOOK,
    asks: ({ fecha_estimada }, { now = 0 }) =>
      fecha_estimada && Date.parse(fecha_estimada) < now - 86_400_000
        ? `La fecha de entrega ${fecha_estimada.slice(0, 10)} ya ha pasado.`
        : undefined,
  },
  repetido: { field: 'cliente_nombre', ways: LOOK, asks: (_, { same }) => same && `Puede ser el mismo pedido que ${same}.` },
  largo: { field: 'cliente_direccion', ways: LOOK, asks: (_, { paper }) => paper },
  elegido: { field: 'instrucciones', ways: LOOK, asks: ({ elegido }) => elegido && `El cliente ha elegido ${elegido}` },
  recogida: {
    field: 'instrucciones',
    ways: ['enviar', 'recoger'],
    asks: ({ recogida }) => recogida && `El cliente lo recoge en la tienda («${recogida}»): di si se envía o lo recoge`,
  },
  efectivo: {
    field: 'contra_reembolso',
    ways: STOP,
    asks: ({ contra_reembolso, total_cents = 0 }) => (contra_reembolso && overCash(total_cents) ? EFECTIVO_LIMITE : undefined),
  },
  moneda: {
    field: 'precio_total',
    ways: STOP,
    asks: ({ moneda = 'EUR' }) => (moneda === 'EUR' ? undefined : `Está en ${moneda} y aquí todo va en euros`),
  },
} as const satisfies Record<string, Rule>;

export type DoubtId = keyof typeof RULES;
export const DOUBT_IDS = Object.keys(RULES) as DoubtId[];
export type Doubt = { id: DoubtId; campo: PedidoFieldName; frase: string };

/** True if the order cannot be made before a person has answered. */
export const isBlocking = ({ id }: Doubt): boolean => !(RULES[id].ways as Rule['ways']).includes('seguir');

/** Returns what is doubtful about an order, with sentences in Spanish. */
export function orderDoubts(draft: Draft, facts: DoubtFacts = {}): Doubt[] {
  const texts = Object.fromEntries(Object.entries(draft).map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value]));
  const asked = { ...NO_TEXTS, ...Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== null)) } as Asked;
  return DOUBT_IDS.flatMap((id) => {
    const { asks, field }: Rule = RULES[id];
    const frase = asks(asked, facts);
    return frase ? [{ id, campo: field, frase }] : [];
  });
}

/** Doubts of `after` that an edit of `before` has brought up. */
export function newDoubts(before: Draft, after: Draft, facts: DoubtFacts = {}): Doubt[] {
  const known = orderDoubts(before, facts).map(({ frase }) => frase);
  return orderDoubts(after, facts).filter(({ frase }) => !known.includes(frase));
}

const NO_TEXTS = Object.fromEntries(EDITABLE_FIELDS.map((name) => [name, ''])) as Pick<Asked, EditableField>;

const MONTH = '(?:ene|feb|mar|abr|may|jun|jul|ago|sept?|oct|nov|dic)';
const DATE = new RegExp(`\\b\\d{1,2}(?:[/.-]\\d{1,2}[/.-]\\d{4}|-${MONTH}\\b(?:-\\d{2,4})?)|\\b\\d{4}-\\d\\d-\\d\\d\\b`, 'i');
/** A date in a text that holds none, such as a floor «3-1» that a spreadsheet has changed. */
const dateIn = (text: string): string | undefined => DATE.exec(text)?.[0];

function oddHours({ franja_horaria: written }: Asked): string | undefined {
  const date = dateIn(written);
  if (date) return `«${date}» parece una fecha: ¿qué franja horaria es?`;
  const [, from, until] = /^\D*(\d{1,2})(?:[:.]\d\d)?\s*h?\s*(?:-|–|a)\s*(?:las\s)?(\d{1,2})(?:[:.]\d\d)?\D*$/.exec(written) ?? [];
  const isOdd = from !== undefined && (Number(from) > 23 || Number(until) > 24 || Number(from) >= Number(until));
  return isOdd ? `La franja horaria ${written} no son dos horas del mismo día.` : undefined;
}

// Common names and places of a province, besides the name from `provinciaByPostcode`.
const ALSO: Record<string, string[]> = {
  Álava: ['araba', 'vitoria', 'gasteiz', 'vitoria gasteiz'],
  Alicante: ['alacant'],
  Asturias: ['oviedo'],
  Baleares: ['balears', 'palma', 'palma de mallorca', 'mallorca', 'menorca', 'ibiza', 'eivissa', 'formentera'],
  Bizkaia: ['vizcaya', 'bilbao', 'bilbo'],
  Cantabria: ['santander'],
  Castellón: ['castello'],
  'A Coruña': ['coruna'],
  Gipuzkoa: ['guipuzcoa', 'donostia', 'san sebastian'],
  Girona: ['gerona'],
  'La Rioja': ['rioja', 'logrono'],
  'Las Palmas': ['palmas', 'las palmas de gran canaria', 'gran canaria', 'lanzarote', 'fuerteventura'],
  Lleida: ['lerida'],
  Navarra: ['nafarroa', 'pamplona'],
  Ourense: ['orense'],
  'Santa Cruz de Tenerife': ['tenerife', 'la laguna', 'la palma', 'la gomera', 'el hierro'],
};

function otherProvince({ cliente_codigo_postal, cliente_provincia, cliente_pais }: Asked): string | undefined {
  const found = typedPostcode(cliente_codigo_postal).length === 5 && provinciaByPostcode(cliente_codigo_postal, cliente_pais);
  const written = wordsOf(cliente_provincia);
  if (!found || !written) return undefined;
  // «Comunidad de Madrid» and «Alicante/Alacant» name the province too.
  const same = [wordsOf(found), ...(ALSO[found] ?? [])].some((name) => ` ${written} `.includes(` ${name} `));
  return same ? undefined : `El código postal ${cliente_codigo_postal} es de ${found}, no de ${cliente_provincia}.`;
}

/** Sentence if the written town is none of `towns`, the towns of the postcode. */
function notAmong(towns: readonly string[], { cliente_codigo_postal, cliente_ciudad }: Asked): string | undefined {
  const written = wordsOf(cliente_ciudad);
  if (towns.length === 0) return undefined;
  const names = towns.flatMap(namesOfTown).map(wordsOf);
  // «Palma de Mallorca» is Palma, «Madrid capital» is Madrid.
  if (names.some((name) => ` ${written} `.includes(` ${name} `) || ` ${name} `.includes(` ${written} `))) return undefined;
  const known = towns.length > 3 ? 'otra población' : towns.join(' o ');
  return `El código postal ${cliente_codigo_postal} es de ${known}, no de ${cliente_ciudad}.`;
}

/** Province that a text names, or whose capital or island it names; undefined for other texts. */
export function provinciaNamed(text: string): string | undefined {
  const written = wordsOf(text);
  return PROVINCIAS.find((provincia) => written === wordsOf(provincia) || ALSO[provincia]?.includes(written));
}

/**
 * Sentence about a town that is surely not that of the postcode: a town of other postcodes of the province, a capital of another province, or an
 * unknown town with an unknown postcode. Villages that the tables lack pass.
 */
function otherTown(values: Asked, { provinces }: DoubtFacts): string | undefined {
  const { cliente_codigo_postal: postcode, cliente_ciudad, cliente_pais } = values;
  const towns = provinces?.get(postcodePrefix(postcode, cliente_pais) ?? '');
  const written = wordsOf(cliente_ciudad);
  if (!towns || !written) return undefined;
  const here = towns.byPostcode.get(typedPostcode(postcode)) ?? [];
  const warning = notAmong(here, values);
  if (towns.names.has(written)) return warning;
  if (here.length > 0 && !warning) return undefined;
  const provincia = provinciaByPostcode(postcode, cliente_pais) ?? '';
  const named = provinciaNamed(cliente_ciudad);
  if (named && named !== provincia) return `El código postal ${postcode} es de ${provincia}, no de ${cliente_ciudad}.`;
  return here.length > 0 || named ? undefined : `El código postal ${postcode} no consta en ${provincia}, ni ${cliente_ciudad}.`;
}

type Known = { cliente_nombre: string; cliente_direccion: string; cliente_telefono: string | null };

/** True for the same telephone, or the same name at the same address. */
export function isSameCliente(values: Known, other: Known): boolean {
  const phone = telephoneDigits(values.cliente_telefono);
  if (!isMadeUp(phone) && phone === telephoneDigits(other.cliente_telefono)) return true;
  const [name, address] = [wordsOf(values.cliente_nombre), wordsOf(values.cliente_direccion)];
  return !!name && !!address && name === wordsOf(other.cliente_nombre) && address === wordsOf(other.cliente_direccion);
}
