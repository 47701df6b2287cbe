import { bareWord, type ChatMessage, capitaliseWords, isStop, tidyText } from './message.ts';
import { isFirstName } from './nombres.ts';
import { beginsPart, splitTokens, type Token } from './tokens.ts';

type Found = { name: string; start: number; end: number };

const L = String.raw`(?<![\p{L}])`;
/** Phrases that announce a name, tried in this order. */
const ANNOUNCED = [
  /(?:destinatari[oa]|(?<!factura\s+)a\s+nombre\s+de|a\s+l[ao]\s+atenci[oó]n\s+de|att?n?\.?|a\/a|(?:env[ií]|mand)\p{L}*\s+a|recibe|recoge|entreg\p{L}*\s+a|hartzailea)\s*(?:es\s|:|\.|,|-)?\s*/giu,
  /(?:(?<!factura\s+a\s+)nombre(?:\s+(?:y\s+apellidos?|completo|del\s+cliente))?|nom(?:\s+i\s+cognoms)?|nome|izena|client[ea]|empresa|raz[oó]n\s+social|name|contacto|de\s+parte\s+de)\s*(?::|=|-|\s(?:es|de|i[sz])\s|(?=\s))\s*/giu,
  /(?:se\s+llama\s+|para\s+)(?:mi\s+\p{L}+,?\s+(?:que\s+se\s+llama\s+)?|(?:el|la)\s+se[ñn]ora?\s+|d(?:on|oña)?\.?\s+)?/giu,
  /(?:me\s+llamo|mi\s+nombre\s+es|s[oó]c|em\s+dic|chámome|naiz|(?:yo\s+)?soy|son|aqu[ií]|habla|te\s+escribe|firmado|my\s+name\s+is|i\s+am|i'm)\s*:?\s*(?:(?:el|la|na|en|a|o)\s+|l'\s?)?/giu,
  /(?<=\p{L}\s)a\s+/giu,
];
const COMPANY =
  /^(?:bar|caf[eé]|cafeter[ií]a|restaurante?|restaurant|hotel|hostal|pensi[oó]n|panader[ií]a|pasteler[ií]a|ferreter[ií]a|farmacia|taller(?:es)?|cl[ií]nica|peluquer[ií]a|librer[ií]a|colegio|ceip|ies|ayuntamiento|asociaci[oó]n|fundaci[oó]n|comercial|estanco|mercer[ií]a|fruter[ií]a|carnicer[ií]a|pescader[ií]a|[oó]ptica|asesor[ií]a|gestor[ií]a|estudio|academia|gimnasio|grupo|bodegas?|distribuciones|transportes|construcciones|muebles|casa\s+rural|tienda|supermercado|autoservicio|mes[oó]n|taberna|forn|autoescuela|inmobiliaria|residencia|hermanos|hnos|floristeria|florister[ií]a|centro)$/iu;
const LEGAL = /^(?:s\.?\s?l\.?u?\.?|s\.?\s?a\.?u?\.?|c\.?b\.?|s\.?coop\.?|s\.?c\.?p?\.?|sociedad)$/i;
const PARTICLE = /^(?:de|del|la|las|los|el|y|i|da|do|dos|das|san|santa|den|van|von|al|ben|el|d|e)$/i;
const TITLE = /^(?:d|dña|doña|don|sr|sra|srta|dr|dra)\.?$/i;

/** Limits of the search for a name: characters after a phrase such as «soy», and occurrences of the phrase in a message. */
const LONGEST = 120;
const MOST = 60;

const isCapital = (word: string) => /^\p{Lu}/u.test(word);

/** Reads a name of up to eight tokens at `at`; undefined if there is none. */
function nameAt(tokens: readonly Token[], at: number): (Found & { words: string[]; company: boolean }) | undefined {
  let from = at;
  while (tokens[from]?.kind === 'word' && TITLE.test(tokens[from]?.text ?? '')) from++;
  const first = tokens[from];
  if (first?.kind !== 'word' || (PARTICLE.test(first.text) && !/^(?:san|santa|el|la|los|las)$/i.test(first.text))) return undefined;
  const company = COMPANY.test(bareText(first));
  if ((isStop(first.text) && !company) || /^(?:el|la|los|las)$/i.test(first.text)) return undefined;
  const capital = isCapital(first.text);
  if (!capital && !isFirstName(bareWord(first.text)) && !company) return undefined;
  const titled = from > at;
  let end = from + 1;
  for (let j = from + 1; j < tokens.length && j - from < 8; j++) {
    const here = tokens[j];
    if (!here || here.kind === 'line' || here.kind === 'cover') break;
    const legal = LEGAL.test(here.text.replace(/\s/g, ''));
    if (company || legal) {
      if (legal) {
        end = j + 1;
        break;
      }
      if (here.text === ',' && LEGAL.test(tokens[j + 1]?.text ?? '')) continue;
    }
    if (here.text === ',' && LEGAL.test(tokens[j + 1]?.text ?? '')) continue;
    if (here.text === '-' && here.start === tokens[j - 1]?.end && tokens[j + 1]?.start === here.end) continue;
    if (here.kind !== 'word') break;
    if (PARTICLE.test(here.text)) {
      // «Marta y vivo en …» ends before the particle.
      if (/^(?:y|i|e)$/i.test(here.text) && end - from < 2) break;
      continue;
    }
    // Allows stop words that are names: «Casa Julián», «Pons i Mas».
    const proper = isCapital(here.text) && here.text !== here.text.toUpperCase() && (company || PARTICLE.test(tokens[j - 1]?.text ?? ''));
    if (isStop(here.text) && !proper) break;
    if (capital && !isCapital(here.text) && !(isFirstName(bareWord(first.text)) && j - from < 4)) break;
    end = j + 1;
  }
  if (titled && end === from + 1) from = at;
  const words = tokens
    .slice(from, end)
    .filter(({ kind }) => kind === 'word')
    .map(({ text }) => text);
  const start = tokens[from]?.start ?? 0;
  const stop = tokens[end - 1]?.end ?? start;
  return { name: '', words, company, start, end: stop };
}
const bareText = (token: Token) => token.plain;

const people = (words: readonly string[]) => words.filter((word) => !PARTICLE.test(word)).length;

/** Takes the name out of a message: after a phrase such as «soy», before the street, in a separate part, or from the chat's sender. */
export function takeName(message: ChatMessage, street: { start: number } | undefined, towns: readonly string[]): string {
  const accept = (found: ReturnType<typeof nameAt>, before = 0): string => {
    if (!found) return '';
    const name = withoutTown(capitaliseWords(tidyText(message.text.slice(found.start, found.end))));
    message.cover(Math.min(found.start, before || found.start), found.end);
    return name;
  };
  // Drops the town from «Clara Nieto de Getafe».
  const withoutTown = (name: string) => {
    const behind = / de (.+)$/.exec(name);
    return behind && towns.some((town) => bareWord(town) === bareWord(behind[1] ?? '')) ? name.slice(0, behind.index) : name;
  };
  const isTown = (found: { start: number; end: number }) => {
    const name = bareWord(message.text.slice(found.start, found.end));
    return towns.some((town) => bareWord(town) === name);
  };

  for (const [rank, pattern] of ANNOUNCED.entries()) {
    for (const hit of [...message.text.matchAll(new RegExp(L + pattern.source, 'giu'))].slice(0, MOST)) {
      const from = hit.index + hit[0].length;
      const found = nameAt(splitTokens(message.text.slice(from, from + LONGEST)), 0);
      if (!found || found.start > 2 || isTown({ start: found.start + from, end: found.end + from })) continue;
      const single = people(found.words) < 2 && !isFirstName(bareWord(found.words[0] ?? '')) && !found.company;
      // Skips «para Navidad», accepts «nombre: Zulema».
      if (single && !(rank < 2 ? /[:=]\s*$/ : /^(?:me\s|mi\s|em\s|my\s)/i).test(hit[0])) continue;
      // Accepts «a Ana Ruiz», skips «a Getafe» and «a Ana».
      if (rank === 4 && !(isFirstName(bareWord(found.words[0] ?? '')) && people(found.words) >= 2)) continue;
      if (/^(?:client|contacto|empresa|nom)/i.test(hit[0]) && !/[:=]|es\s*$/.test(hit[0]) && people(found.words) < 2) continue;
      return accept({ ...found, start: found.start + from, end: found.end + from }, hit.index);
    }
  }

  const tokens = splitTokens(message.text);
  const parts = tokens.flatMap((token, at) => {
    if (!beginsPart(tokens, at)) return [];
    const found = nameAt(tokens, at);
    if (!found || isTown(found)) return [];
    const next = tokens.find(({ start }) => start >= found.end);
    const whole = !next || (next.kind !== 'word' && next.kind !== 'number') || next.start === street?.start;
    const known = isFirstName(bareWord(found.words[0] ?? '')) || found.company || LEGAL.test(found.words.at(-1) ?? '');
    return [{ found, whole, known, many: people(found.words) >= 2, at: token.start }];
  });
  const before = street && parts.filter(({ found }) => found.end <= street.start && street.start - found.end <= 3).at(-1);
  const best =
    (before && (before.known || before.many) ? before : undefined) ??
    parts.find(({ whole, known, many }) => whole && known && many) ??
    parts.find(({ known, many }) => known && many) ??
    parts.find(({ whole, many, found }) => whole && many && found.words.every((word) => isCapital(word) || PARTICLE.test(word)));
  if (best) return accept(best.found);
  const company = tokens.findIndex(
    ({ text, plain }, at) => COMPANY.test(plain) && isCapital(text) && isCapital(tokens[at + 1]?.text ?? ''),
  );
  if (company >= 0) return accept(nameAt(tokens, company));
  const sender = message.senders.filter(({ from }) => !street || from <= street.start).at(-1) ?? message.senders[0];
  if (sender && /^\p{L}/u.test(sender.name) && sender.name.split(' ').length >= 2) return sender.name.replace(/^~\s*/, '');
  const single = street && parts.find(({ whole, known, found }) => whole && known && found.words.length === 1);
  return single ? accept(single.found) : '';
}
