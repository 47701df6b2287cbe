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
const packOf = ([name = '', alias = '', units, cents, weight, inactive]: string[]): Pack => {
  const pack = { name, alias, units: Number(units), cents: Number(cents), weight: Number(weight) };
  return inactive ? { ...pack, inactive: true } : pack;
};

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

// Product: name|description|weight|«poco» if the stock runs low|part of the period after which sales stop. Below it its packs: name|alias|units|cents|weight.
const LINES: Line[] = `Aceite de oliva virgen extra 500 ml|Manzanilla cacereña de la Sierra de Gata, primera prensada en frío|24
  Caja de 6 botellas|AOVE-6|6|5390|6
  Caja de 12 botellas|AOVE-12|12|9900|3
  Estuche regalo de 2|AOVE-2|2|2150|2
Jamón ibérico de bellota, sobre de 100 g|Cortado a cuchillo y envasado al vacío. D.O.P. Dehesa de Extremadura|20
  Pack de 5 sobres|JAMON-5|5|6250|6
  Pack de 10 sobres|JAMON-10|10|11900|4
  Pack de 20 sobres|JAMON-20|20|22800|1
Vino tinto crianza 75 cl|Tempranillo, doce meses en barrica. D.O. Ribera del Guadiana|18
  Caja de 3 botellas|TINTO-3|3|2940|3
  Caja de 6 botellas|TINTO-6|6|5580|6
  Caja de 12 botellas|TINTO-12|12|10440|2
Torta del Casar 500 g|Queso de leche cruda de oveja. Conservar en frío, sacar una hora antes|12|poco
  1 pieza|TORTA-1|1|1890|4
  Pack de 2 piezas|TORTA-2|2|3600|4
  Caja de 6 piezas|TORTA-6|6|10200|1
Miel de encina y castaño 500 g|Cruda, de las colmenas de Las Villuercas|12
  Pack de 3 tarros|MIEL-3|3|2670|5
  Caja de 12 tarros|MIEL-12|12|9600|2
Pimentón de la Vera, lata de 75 g|Ahumado con leña de encina: dulce, agridulce o picante|8
  Trío de latas|PIMENTON-3|3|990|5
  Caja de 12 latas|PIMENTON-12|12|3480|2
Café en grano de tueste natural 1 kg|Mezcla de la casa, tostado cada semana junto a la raya de Portugal|9
  Bolsa de 1 kg|CAFE-1|1|1690|5
  Pack de 4 bolsas|CAFE-4|4|6200|3
  Saca de 10 kg|CAFE-10|10|14500|0|inactivo
Bombones de higo de Almoharín|Estuche de 12 unidades, bañados en chocolate negro|7|poco
  Pack de 2 estuches|HIGO-2|2|2380|5
  Caja de 6 estuches|HIGO-6|6|6600|2
Cerezas del Jerte en aguardiente 350 g|Producto de temporada, vuelve en primavera|6||0.5
  Pack de 2 frascos|CEREZA-2|2|1980|4
  Caja de 6 frascos|CEREZA-6|6|5640|1`
  .split(/\n(?! )/)
  .map((line) => {
    const [product = [], ...packs] = line.split('\n').map((row) => row.trim().split('|'));
    const [name = '', description = '', weight, low, until] = product;
    return {
      name,
      description,
      weight: Number(weight),
      ...(low && { low: true }),
      ...(until && { until: Number(until) }),
      packs: packs.map(packOf),
    };
  });

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
