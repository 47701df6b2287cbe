import { type ChatMessage, isStop, tidyText } from './message.ts';
import { beginsPart, splitTokens, type Token } from './tokens.ts';

export type Street = { address: string; floor: string; start: number; end: number };

const setOf = (words: string) => new Set(words.trim().split(/\s+/));
/** Words for kinds of street in the languages of Spain, without accents or final full stop. */
const STREETS =
  setOf(`c/ c cl calle av avd avda avgda avenida avinguda avenue plaza plz plza pza pl placa praza paseo pº p.º pso ps passeig pg camino cno cmno cami
  camino camiño carretera ctra crta ronda travesia trav trva trv travessera travessia rambla glorieta gta pasaje psje passatge cuesta callejon carrer carrers r/ rua kale
  via alameda bulevar boulevard costanilla corredera estrada senda sendero vereda canada escalinata muelle malecon jardines calleja corralillo`);
/** Words for areas, buildings and post office boxes, which stand before or after the street, or alone. */
const AREAS =
  setOf(`urb urbanizacion poligono pol poligon residencial conjunto complejo barrio barriada bda parque edificio edif finca cortijo caserio aldea lugar
  partida pda pedania mercado apartado apdo aptdo parcela torre`);
/** Ambiguous words of `STREETS` and `AREAS`, recognised only with a number. */
const WEAK = setOf(
  'c cl pl ps via lugar parque cuesta partida finca mercado torre parcela camino conjunto complejo edificio aldea canada kale cami',
);
/** Kinds of street that follow the name, as in Basque and English. */
const SUFFIXES = setOf('kalea etorbidea bidea hiribidea pasealekua auzoa enparantza street road');
const NUMBERED = setOf('nº n n.º no num numero nro km pk parcela nave zenb local bloque portal apartado fase manzana sector etapa');
const PLACES =
  setOf(`piso planta pl puerta porta pta pt escalera escala esc portal bloque bloc blq bl bajo bajos baixos baixo bj atico atic sobreatico entresuelo entlo entl ent
  entresol principal ppal pral nave local oficina of despacho casa chalet parcela apartamento apto apt letra duplex dpto departamento habitacion semisotano torre modulo stand
  puesto solairua behea lonja andar primero segundo tercero cuarto quinto sexto septimo octavo`);
const SIDES =
  setOf(`izq izqda izquierda izqd izda dcha dch drcha derecha dreta der esquerra ezkerra eskuina esquerda dereita centro ctro cto exterior ext interior int
  ezk esk`);
/** Stop words allowed in street names: «Ramón y Cajal», «Virgen del Mar». */
const WITHIN =
  setOf(`y e en con sin el la los las san santa dos tres once doce siete nueve sol mar un al lunes jueves casa amigo hermanos hermanas madre padre
  nueva nuevo amistad entre para por viernes dia dias provincia`);
const LEAD =
  setOf(`y e mi la el lo es a en de con al direccion direcion dir domicilio adreca helbidea enderezo address envio entrega vivo vivimos resido estoy esta
  enviar enviarlo enviadlo enviadmelo enviamelo envialo envieme enviadme mandar mandarlo mandadlo mandamelo mandadmelo mandalo mandame mandadme entregar postal : - . ser seria`);
const ANNOUNCES =
  /^(?:viv[oe]|vivimos|resid[oe]|direcc?ion|domicilio|adreca|helbidea|enderezo|address|senas|envi(?!o$)\w*|mand\w*|entreg\w*|envio)$/;
const SENDS = /^(?:envi|mand|entreg)/;
const ITEM =
  /^(?:cajas?|botes?|tarros?|botellas?|packs?|pedidos?|kilos?|kg|litros?|latas?|unidad(?:es)?|uds?|garrafas?|lotes?|estuches?|tallas?|modelos?|bolsas?|piezas?|sobres?|paquetes?|x|de|del|horas?|h|euros?|am|pm)$/;

type Parsed = { from: number; number: number | undefined; to: number };

/** Reads a street name and number from `at` on; `to` is the first token after both. */
function readName(tokens: readonly Token[], at: number, typed = false): Parsed {
  let words = 0;
  let good = at;
  for (let j = at; j < tokens.length && words < 9; j++) {
    const [here, next, third] = [tokens[j], tokens[j + 1], tokens[j + 2]];
    if (!here) break;
    if (here.kind === 'number') {
      // The number in «Calle 2 de Mayo» belongs to the name.
      if (words === 0 && next && /^(?:de|del|d'.*)$/.test(next.plain)) continue;
      return { from: at, number: j, to: afterNumber(tokens, j) };
    }
    if (here.kind === 'word') {
      if (NUMBERED.has(here.plain) && (next?.kind === 'number' || (/^[.:º°]$/.test(next?.text ?? '') && third?.kind === 'number')))
        return { from: at, number: j, to: afterNumber(tokens, next?.kind === 'number' ? j + 1 : j + 2) };
      // «Calle Dato», «Lugar A Igrexa»: a stop word right after the kind of street can be a name.
      const named = typed && words === 0 && (here.plain.length > 3 || /^\p{Lu}/u.test(here.text));
      const hard = isStop(here.text) && !WITHIN.has(here.plain) && !named;
      if (
        hard ||
        (words > 0 &&
          STREETS.has(here.plain) &&
          !/^(?:via|canada|camino|paseo|plaza|ronda|rambla|rua|jardines|muelle|alameda)$/.test(here.plain))
      )
        break;
      words++;
      if (!isStop(here.text) && !/^(?:de|del|d)$/.test(here.plain)) good = j + 1;
      continue;
    }
    if (here.kind === 'mark' && /^[,:]$/.test(here.text) && words > 0 && (next?.kind === 'number' || (next && NUMBERED.has(next.plain))))
      continue;
    if (here.text === '-' || here.text === '/' || here.text === "'" || here.text === '"') continue;
    if (here.text === '.' && next?.kind === 'word' && here.start === tokens[j - 1]?.end && next.start === here.end) continue;
    break;
  }
  return { from: at, number: undefined, to: good };
}

/** Returns the first token after a house number, and after a second number as in «N-630 km 556» or «calle 7 nº 3». */
function afterNumber(tokens: readonly Token[], at: number): number {
  const end = afterFirst(tokens, at);
  const mark = tokens[end]?.text === ',' ? end + 1 : end;
  const word = tokens[mark]?.plain ?? '';
  if (!/^(?:km|pk|p\.k|kilometro|nº|n|no|num|numero)$/.test(word) || tokens[mark]?.kind === 'line') return end;
  const dot = /^[.:º°]$/.test(tokens[mark + 1]?.text ?? '') ? 1 : 0;
  return tokens[mark + 1 + dot]?.kind === 'number' ? afterFirst(tokens, mark + 1 + dot) : end;
}

/** Returns the first token after a number such as «24 bis», «24-26» or, on a road, «3,5». */
function afterFirst(tokens: readonly Token[], at: number): number {
  const [number, mark, second] = [tokens[at], tokens[at + 1], tokens[at + 2]];
  if (mark?.plain === 'bis') return at + 2;
  const range = /^[-/]$/.test(mark?.text ?? '') && /^\d+$/.test(number?.text ?? '') && /^\d+$/.test(second?.text ?? '');
  if (range && Number(second?.text) > Number(number?.text)) return at + 3;
  if (tokens[at - 1]?.plain === 'km' && /^[.,]$/.test(mark?.text ?? '') && second?.kind === 'number' && mark?.end === second.start)
    return at + 3;
  return at + 1;
}

const isLetter = (token: Token | undefined) => !!token && /^\p{L}\.?$/u.test(token.text);
const ends = (token: Token | undefined) => !token || (token.kind !== 'word' && token.kind !== 'number');
const isOrdinal = (token: Token) => /^\d{1,2}(?:[ºª°]|er|r|n|t|e|a|o|[a-j]$)/.test(token.plain);

/** Returns the number of tokens of the floor detail at `at`; zero if there is none. */
function floorAt(tokens: readonly Token[], at: number, afterMark: boolean): number {
  const [here, next] = [tokens[at], tokens[at + 1]];
  if (!here) return 0;
  if (here.kind === 'word') {
    if (AREAS.has(here.plain) && next?.kind === 'word' && !PLACES.has(here.plain)) {
      let j = at + 1;
      while (tokens[j]?.kind === 'word' && !isStop(tokens[j]?.text ?? '') && j - at < 7) j++;
      return j - at;
    }
    if (PLACES.has(here.plain)) {
      // Not a floor: «(casa azul frente al bar)», «Casa Rural La Encina».
      if (here.plain === 'casa' && next?.kind === 'word' && !isLetter(next)) return 0;
      // Before a stop word, an ambiguous word such as «casa» or «principal» is a floor only after a mark.
      if (!ends(next) && next?.kind === 'word' && !SIDES.has(next.plain) && !PLACES.has(next.plain) && !isLetter(next) && isStop(next.text))
        return ends(tokens[at - 1]) ? 1 : 0;
      const value = next && (/^(?:\d{1,3}\p{L}?[ºª°]?)$/u.test(next.text) || (isLetter(next) && !/^[yeo]$/.test(next.plain)));
      return value ? 2 : 1;
    }
    if (SIDES.has(here.plain)) return 1;
    return isLetter(here) && (/\p{Lu}/u.test(here.text) ? ends(next) || next?.kind === 'number' : ends(next)) ? 1 : 0;
  }
  if (here.kind !== 'number' || !/^\d{1,3}(?!\d)/.test(here.text) || (next && ITEM.test(next.plain))) return 0;
  if (isOrdinal(here) || SIDES.has(next?.plain ?? '') || PLACES.has(next?.plain ?? '')) return 1;
  if (isLetter(next) && (/\p{Lu}/u.test(next?.text ?? '') || ends(tokens[at + 2]))) return 2;
  return ends(next) && (afterMark || /^\d{1,2}$/.test(here.text)) ? 1 : 0;
}

/** Returns the first token after the floor at `at`; `at` if there is no floor. */
function readFloor(tokens: readonly Token[], at: number): number {
  let end = at;
  for (let j = at; ; ) {
    let marks = 0;
    while (marks < 3 && /^[,.\-–/()·ºª°\n]$/.test(tokens[j + marks]?.text ?? '')) marks++;
    const passed = tokens.slice(j, j + marks);
    const strong = tokens[j + marks];
    const onNextLine = passed.some(({ kind }) => kind === 'line');
    if (onNextLine && !(strong && (PLACES.has(strong.plain) || AREAS.has(strong.plain) || isOrdinal(strong)))) return end;
    const taken = floorAt(tokens, j + marks, marks > 0);
    if (taken === 0) return end;
    j += marks + taken;
    end = j;
  }
}

function candidates(tokens: readonly Token[], unnumberedToo: boolean): Parsed[] {
  const [typed, suffixed, announced, unnumbered, alone]: Parsed[][] = [[], [], [], [], []];
  tokens.forEach((token, at) => {
    if (token.kind !== 'word') return;
    const grand = token.plain === 'gran' && tokens[at + 1]?.plain === 'via';
    // «C. Comercial El Faro» is a shopping centre, not a street.
    if (token.plain === 'c' && /^(?:comercial|cial)$/.test(tokens[at + 1]?.plain ?? '')) return;
    if (STREETS.has(token.plain) || AREAS.has(token.plain) || grand) {
      const parsed = readName(tokens, at + (grand ? 2 : 1), true);
      const box = /^ap(?:ar)?t?d/.test(token.plain);
      if (parsed.number !== undefined && (parsed.number > at + 1 || grand || box || AREAS.has(token.plain) || token.plain === 'calle'))
        typed?.push({ ...parsed, from: at });
      else if (
        unnumberedToo &&
        !WEAK.has(token.plain) &&
        parsed.to > at + 1 &&
        (beginsPart(tokens, at) || LEAD.has(tokens[at - 1]?.plain ?? ''))
      )
        unnumbered?.push({ ...parsed, from: at });
      return;
    }
    if (SUFFIXES.has(token.plain) && tokens[at + 1]) {
      let from = at;
      while (at - from < 4 && tokens[from - 1]?.kind === 'word' && !isStop(tokens[from - 1]?.text ?? '')) from--;
      const parsed = readName(tokens, at + 1);
      if (from < at && parsed.number !== undefined) suffixed?.push({ ...parsed, from });
    }
    if (ANNOUNCES.test(token.plain)) {
      let from = at + 1;
      while (from < tokens.length && LEAD.has(tokens[from]?.plain ?? '') && !/^(?:la|el|los|las)$/.test(tokens[from]?.plain ?? '')) from++;
      const parsed = readName(tokens, from);
      const next = tokens[(parsed.number ?? 0) + 1];
      // Skips «envíame otras 2 cajas» and «mándame miel 2»: only «envíame a …» announces an address.
      const isPlace = !SENDS.test(token.plain) || tokens.slice(at + 1, from).some(({ plain }) => /^(?:a|al|:)$/.test(plain));
      if (isPlace && parsed.number !== undefined && parsed.number > from && !(next && ITEM.test(next.plain))) announced?.push(parsed);
    }
    if (beginsPart(tokens, at) && !isStop(token.text) && !ITEM.test(token.plain)) {
      const parsed = readName(tokens, at);
      const name = tokens.slice(at, parsed.number);
      const next = parsed.number === undefined ? undefined : tokens[parsed.number + 1];
      if (
        parsed.number !== undefined &&
        /^(?:\d{1,3}\p{L}?|s\s?\/\s?n\.?|n.*|km)$/iu.test(tokens[parsed.number]?.text ?? '') &&
        !name.some(({ plain }) => ITEM.test(plain) && !/^del?$/.test(plain)) &&
        !(next && ITEM.test(next.plain))
      )
        alone?.push(parsed);
    }
  });
  return [typed, suffixed, announced, unnumbered, alone].flatMap((list) => list ?? []);
}

/** Takes street and floor out of a message. With a postcode (`coded`), a street without a number counts too. */
export function takeStreet(message: ChatMessage, coded: boolean): Street | undefined {
  const tokens = splitTokens(message.text);
  const all = candidates(tokens, coded);
  const [best] = all;
  if (!best) return undefined;
  let { from, to } = best;
  const box = /^ap(?:ar)?t?d/.test(tokens[from]?.plain ?? '');
  // Includes an area just before the street: «Urb. Los Olivos, calle Pino 3».
  const area = all.find((other) => other.to <= from && from - other.to <= 2 && AREAS.has(tokens[other.from]?.plain ?? ''));
  if (area) from = area.from;
  const floorEnd = box ? to : readFloor(tokens, to);
  const place = (index: number) => tokens[index]?.start ?? message.text.length;
  const last = (index: number) => tokens[index - 1]?.end ?? 0;
  const [start, end] = [place(from), last(floorEnd)];
  const street = {
    // Drops the article of «vivo en la N-V km 398».
    address: tidyText(message.text.slice(start, last(to))).replace(/^la (?=[A-Z]{1,3}-)/, ''),
    floor: floorEnd > to ? tidyText(message.text.slice(last(to), end)).replace(/\.$/, '') : '',
    start,
    end,
  };
  while (from > 0 && LEAD.has(tokens[from - 1]?.plain ?? '')) from--;
  message.cover(place(from), end);
  return street;
}

/** Takes a floor that is separated from its street: «28004 Madrid, 3º izquierda». */
export function takeFloor(message: ChatMessage): string {
  const tokens = splitTokens(message.text);
  for (const [at, token] of tokens.entries()) {
    if (!beginsPart(tokens, at)) continue;
    const end = readFloor(tokens, at);
    const taken = tokens.slice(at, end);
    const strong = taken.some(({ plain: word, kind }) =>
      kind === 'number' ? /[ºª°]/.test(word) : SIDES.has(word) || (PLACES.has(word) && taken.length > 1),
    );
    if (!strong || !ends(tokens[end])) continue;
    const [from, to] = [token.start, tokens[end - 1]?.end ?? token.end];
    const floor = tidyText(message.text.slice(from, to)).replace(/\.$/, '');
    message.cover(from, to);
    return floor;
  }
  return '';
}
