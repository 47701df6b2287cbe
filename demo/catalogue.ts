import type { Insertable } from 'kysely';
import type { Settings } from '../contract/settings/values.ts';
import type { Tables } from '../server/db/schema.ts';
import { DAY, HOUR } from './calendar.ts';
import type { Random } from './random.ts';

/** The IBAN is the usual documentation example. */
export const COMPANY = {
  companyName: 'Alacena del Guadiana, S.L.',
  companyEmail: 'hola@demo.enruta.es',
  companyIban: 'ES9121000418450200051332',
  companyBic: 'CAIXESBBXXX',
} satisfies Partial<Settings>;

type Pack = { name: string; alias: string; units: number; cents: number; weight: number; inactive?: true };
type Line = {
  name: string;
  description: string;
  weight: number;
  /** Not restocked towards the end, so that the stock runs low. */
  low?: true;
  /** Fraction of the period after which sales stop. */
  until?: number;
  packs: Pack[];
};

const LINES: Line[] = [
  {
    name: 'Aceite de oliva virgen extra 500 ml',
    description: 'Manzanilla cacereña de la Sierra de Gata, primera prensada en frío',
    weight: 24,
    packs: [
      { name: 'Caja de 6 botellas', alias: 'AOVE-6', units: 6, cents: 5390, weight: 6 },
      { name: 'Caja de 12 botellas', alias: 'AOVE-12', units: 12, cents: 9900, weight: 3 },
      { name: 'Estuche regalo de 2', alias: 'AOVE-2', units: 2, cents: 2150, weight: 2 },
    ],
  },
  {
    name: 'Jamón ibérico de bellota, sobre de 100 g',
    description: 'Cortado a cuchillo y envasado al vacío. D.O.P. Dehesa de Extremadura',
    weight: 20,
    packs: [
      { name: 'Pack de 5 sobres', alias: 'JAMON-5', units: 5, cents: 6250, weight: 6 },
      { name: 'Pack de 10 sobres', alias: 'JAMON-10', units: 10, cents: 11900, weight: 4 },
      { name: 'Pack de 20 sobres', alias: 'JAMON-20', units: 20, cents: 22800, weight: 1 },
    ],
  },
  {
    name: 'Vino tinto crianza 75 cl',
    description: 'Tempranillo, doce meses en barrica. D.O. Ribera del Guadiana',
    weight: 18,
    packs: [
      { name: 'Caja de 3 botellas', alias: 'TINTO-3', units: 3, cents: 2940, weight: 3 },
      { name: 'Caja de 6 botellas', alias: 'TINTO-6', units: 6, cents: 5580, weight: 6 },
      { name: 'Caja de 12 botellas', alias: 'TINTO-12', units: 12, cents: 10440, weight: 2 },
    ],
  },
  {
    name: 'Torta del Casar 500 g',
    description: 'Queso de leche cruda de oveja. Conservar en frío, sacar una hora antes',
    weight: 12,
    low: true,
    packs: [
      { name: '1 pieza', alias: 'TORTA-1', units: 1, cents: 1890, weight: 4 },
      { name: 'Pack de 2 piezas', alias: 'TORTA-2', units: 2, cents: 3600, weight: 4 },
      { name: 'Caja de 6 piezas', alias: 'TORTA-6', units: 6, cents: 10200, weight: 1 },
    ],
  },
  {
    name: 'Miel de encina y castaño 500 g',
    description: 'Cruda, de las colmenas de Las Villuercas',
    weight: 12,
    packs: [
      { name: 'Pack de 3 tarros', alias: 'MIEL-3', units: 3, cents: 2670, weight: 5 },
      { name: 'Caja de 12 tarros', alias: 'MIEL-12', units: 12, cents: 9600, weight: 2 },
    ],
  },
  {
    name: 'Pimentón de la Vera, lata de 75 g',
    description: 'Ahumado con leña de encina: dulce, agridulce o picante',
    weight: 8,
    packs: [
      { name: 'Trío de latas', alias: 'PIMENTON-3', units: 3, cents: 990, weight: 5 },
      { name: 'Caja de 12 latas', alias: 'PIMENTON-12', units: 12, cents: 3480, weight: 2 },
    ],
  },
  {
    name: 'Café en grano de tueste natural 1 kg',
    description: 'Mezcla de la casa, tostado cada semana junto a la raya de Portugal',
    weight: 9,
    packs: [
      { name: 'Bolsa de 1 kg', alias: 'CAFE-1', units: 1, cents: 1690, weight: 5 },
      { name: 'Pack de 4 bolsas', alias: 'CAFE-4', units: 4, cents: 6200, weight: 3 },
      { name: 'Saca de 10 kg', alias: 'CAFE-10', units: 10, cents: 14500, weight: 0, inactive: true },
    ],
  },
  {
    name: 'Bombones de higo de Almoharín',
    description: 'Estuche de 12 unidades, bañados en chocolate negro',
    weight: 7,
    low: true,
    packs: [
      { name: 'Pack de 2 estuches', alias: 'HIGO-2', units: 2, cents: 2380, weight: 5 },
      { name: 'Caja de 6 estuches', alias: 'HIGO-6', units: 6, cents: 6600, weight: 2 },
    ],
  },
  {
    name: 'Cerezas del Jerte en aguardiente 350 g',
    description: 'Producto de temporada, vuelve en primavera',
    weight: 6,
    until: 0.5,
    packs: [
      { name: 'Pack de 2 frascos', alias: 'CEREZA-2', units: 2, cents: 1980, weight: 4 },
      { name: 'Caja de 6 frascos', alias: 'CEREZA-6', units: 6, cents: 5640, weight: 1 },
    ],
  },
];

export type Sold = Omit<Line, 'packs'> & {
  row: Insertable<Tables['products']> & { id: string; created_at: string; min_stock: number };
  packs: (Pack & { row: Insertable<Tables['product_packs']> & { id: string } })[];
};

export const buildCatalogue = (random: Random, start: number): Sold[] =>
  LINES.map((line, i) => {
    const created_at = new Date(start - 6 * DAY + i * HOUR).toISOString();
    const product_id = random.uuid();
    return {
      ...line,
      row: { id: product_id, name: line.name, description: line.description, stock: 0, min_stock: 0, is_active: !line.until, created_at },
      packs: line.packs.map((pack) => ({
        ...pack,
        row: {
          id: random.uuid(),
          product_id,
          name: pack.name,
          alias: pack.alias,
          pack_quantity: pack.units,
          pack_price_cents: pack.cents,
          is_active: !pack.inactive,
          created_at,
        },
      })),
    };
  });
