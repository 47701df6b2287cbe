import type { Random } from './random.ts';

export type Address = {
  cliente_direccion: string;
  cliente_direccion2: string | null;
  cliente_ciudad: string;
  cliente_provincia: string;
  cliente_codigo_postal: string;
};

type Language = 'es' | 'ca' | 'gl' | 'eu';
type City = { city: string; province: string; postcodes: [first: number, last: number]; weight: number; language: Language };

// city|province|first postcode|last postcode|weight|language of its streets. Many sales are near the company, in Extremadura.
const CITIES: City[] = `Badajoz|Badajoz|06001|06012|9|es
Mérida|Badajoz|06800|06800|8|es
Don Benito|Badajoz|06400|06400|3|es
Almendralejo|Badajoz|06200|06200|3|es
Zafra|Badajoz|06300|06300|2|es
Cáceres|Cáceres|10001|10005|9|es
Plasencia|Cáceres|10600|10600|4|es
Navalmoral de la Mata|Cáceres|10300|10300|2|es
Trujillo|Cáceres|10200|10200|2|es
Madrid|Madrid|28001|28055|18|es
Getafe|Madrid|28901|28907|2|es
Alcalá de Henares|Madrid|28801|28807|2|es
Sevilla|Sevilla|41001|41020|9|es
Córdoba|Córdoba|14001|14014|3|es
Málaga|Málaga|29001|29018|4|es
Granada|Granada|18001|18016|2|es
Huelva|Huelva|21001|21007|2|es
Cádiz|Cádiz|11001|11012|2|es
Jerez de la Frontera|Cádiz|11401|11408|1|es
Jaén|Jaén|23001|23009|1|es
Almería|Almería|04001|04009|1|es
Salamanca|Salamanca|37001|37008|3|es
Valladolid|Valladolid|47001|47017|2|es
Burgos|Burgos|09001|09007|1|es
León|León|24001|24010|1|es
Ávila|Ávila|05001|05005|1|es
Segovia|Segovia|40001|40006|1|es
Toledo|Toledo|45001|45008|2|es
Talavera de la Reina|Toledo|45600|45600|1|es
Ciudad Real|Ciudad Real|13001|13005|1|es
Albacete|Albacete|02001|02008|1|es
Zaragoza|Zaragoza|50001|50018|3|es
Logroño|La Rioja|26001|26009|1|es
Santander|Cantabria|39001|39012|1|es
Oviedo|Asturias|33001|33013|1|es
Gijón|Asturias|33201|33213|1|es
Murcia|Murcia|30001|30012|2|es
Cartagena|Murcia|30201|30205|1|es
Valencia|Valencia|46001|46025|5|es
Alicante|Alicante|03001|03016|2|es
Elche|Alicante|03201|03208|1|es
Castelló de la Plana|Castellón|12001|12006|1|es
Barcelona|Barcelona|08001|08042|8|ca
Sabadell|Barcelona|08201|08208|1|ca
Girona|Girona|17001|17007|1|ca
Tarragona|Tarragona|43001|43008|1|ca
Lleida|Lleida|25001|25008|1|ca
Palma|Baleares|07001|07015|2|ca
A Coruña|A Coruña|15001|15011|1|gl
Santiago de Compostela|A Coruña|15701|15707|1|gl
Vigo|Pontevedra|36201|36214|1|gl
Ourense|Ourense|32001|32005|1|gl
Lugo|Lugo|27001|27004|1|gl
Bilbao|Bizkaia|48001|48015|2|eu
Donostia / San Sebastián|Gipuzkoa|20001|20018|1|eu
Vitoria-Gasteiz|Álava|01001|01015|1|eu
Pamplona / Iruña|Navarra|31001|31016|1|es
Las Palmas de Gran Canaria|Las Palmas|35001|35020|1|es
Santa Cruz de Tenerife|Santa Cruz de Tenerife|38001|38010|1|es`
  .split('\n')
  .map((line) => {
    const [city = '', province = '', first, last, weight, language] = line.split('|');
    return { city, province, postcodes: [Number(first), Number(last)], weight: Number(weight), language: language as Language };
  });
const WEIGHTED = CITIES.map((city) => [city, city.weight] as const);

const STREETS: Record<Language, string[]> = {
  es: 'Calle Mayor|Calle Real|Calle Nueva|Calle del Sol|Calle de la Iglesia|Calle San José|Calle Santa Ana|Calle Cervantes|Calle Miguel Hernández|Calle Federico García Lorca|Calle Juan Ramón Jiménez|Calle Hernán Cortés|Calle Ramón y Cajal|Calle Gabriel y Galán|Calle del Carmen|Calle San Francisco|Calle Virgen de la Peña|Calle Núñez de Balboa|Calle Concepción Arenal|Calle Antonio Machado|Calle Clara Campoamor|Calle de los Olivos|Calle del Pozo|Calle Fuente Nueva|Calle Santo Domingo|Avenida de la Constitución|Avenida de España|Avenida de Europa|Avenida de Portugal|Avenida de Andalucía|Avenida Juan Carlos I|Avenida de la Libertad|Avda. de Extremadura|C/ Ancha|C/ Pizarro|C/ San Antón|C/ Doña Urraca|Paseo de la Estación|Paseo del Río|Ronda Norte|Ronda del Pilar|Plaza de España|Plaza Mayor|Plaza de la Constitución|Travesía del Castillo|Camino Viejo|Glorieta de los Héroes'.split(
    '|',
  ),
  ca: 'Carrer Major|Carrer de Balmes|Carrer de Sant Joan|Carrer de València|Carrer del Mar|Carrer de Mallorca|Carrer de Pau Claris|Carrer Nou|Rambla de Catalunya|Avinguda de la Pau|Avinguda Diagonal|Plaça de la Vila|Passeig de Sant Antoni|Passeig de Gràcia'.split(
    '|',
  ),
  gl: 'Rúa Nova|Rúa do Franco|Rúa Real|Rúa da Paz|Rúa do Progreso|Rúa Rosalía de Castro|Rúa de San Pedro|Avenida da Coruña|Praza Maior|Avenida de Castelao'.split(
    '|',
  ),
  eu: 'Kale Nagusia|Calle Autonomía|Calle Licenciado Poza|Avenida de la Libertad|Calle San Martín|Plaza Nueva|Calle Ercilla|Calle Urbieta|Paseo de Txurdinaga|Calle Dato'.split(
    '|',
  ),
};

const NUMBERS = ['{n}', '{n}', '{n}', '{n}', 'n.º {n}', '{n} bis', 's/n'];
const DOORS = [
  '#º A',
  '#º B',
  '#º C',
  '#º Izq.',
  '#º Dcha.',
  '#º 2ª',
  'Bajo',
  'Bajo B',
  'Ático A',
  'Esc. 2, #º D',
  'Portal 3, #º B',
  'Local',
  'Oficina 4',
  'Entresuelo 1ª',
];
const HOUSE_DOORS = ['Local', 'Nave 7', 'Bajo', 'Cocina, entrada por detrás'];

export function randomAddress(random: Random, business: boolean): Address {
  const { city, province, postcodes, language } = random.weighted(WEIGHTED);
  const number = random.pick(NUMBERS).replace('{n}', String(random.int(1, random.chance(0.3) ? 180 : 40)));
  return {
    cliente_direccion: `${random.pick(STREETS[language])}, ${number}`,
    cliente_direccion2: random.chance(business ? 0.4 : 0.72)
      ? random.fill(random.pick(business ? HOUSE_DOORS : DOORS)).replace(/\b0º/, '1º')
      : null,
    cliente_ciudad: city,
    cliente_provincia: province,
    cliente_codigo_postal: String(random.int(...postcodes)).padStart(5, '0'),
  };
}

const INSTRUCTIONS = `Llamar antes de entregar, por favor
Dejar en conserjería si no hay nadie
El timbre no funciona: llamar al móvil
Entregar solo por la tarde, a partir de las 17:00
Entregar por la mañana
Portal azul, junto a la farmacia
No tocar el timbre: hay un bebé durmiendo
Es un regalo: no incluir la factura en la caja
Entregar a la vecina del 2º si no estoy
Zona peatonal: el reparto es hasta las 11:00
Botellas frágiles, no apilar
Hay que subir por la escalera del patio
Preguntar por Begoña en recepción
Cuidado con el perro
Avisar por WhatsApp media hora antes
Descargar por la puerta del callejón`.split('\n');
export const randomInstructions = (random: Random) => (random.chance(0.3) ? random.pick(INSTRUCTIONS) : null);
