import { postcodeDigits, provinciaOf } from '../provincias.ts';

/* What a message from a chat says of a customer. */

export type Recognised = {
  cliente_nombre: string;
  cliente_telefono: string;
  cliente_direccion: string;
  cliente_codigo_postal: string;
  cliente_ciudad: string;
  /** What was not understood. */
  rest: string;
};

// «[21/11/26, 10:03:12] Ana Ruiz: » and «21/11/26 10:03 - Ana Ruiz: », as chats export what is copied from them.
const STAMP =
  /^\[?\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4},?\s+\d{1,2}:\d{2}(?::\d{2})?(?:\s*[ap]\.?\s?m\.?)?\]?\s*(?:-\s*)?(?:[^:\n]{1,40}:\s)?/gim;
const TELEPHONE = /(?<![\d/])(?:(?:\+|00)34[\s.-]?)?[6-9](?:[\s.-]?\d){8}(?![\s.-]?\d)|(?:\+|00)(?!34)\d(?:[\s.-]?\d){7,14}(?!\d)/;
const POSTCODE = /(?<!\d)(?:C\.?\s?P\.?:?\s*)?((?:0[1-9]|[1-4]\d|5[0-2])[\s.]?\d{3})(?!\d)/i;
const STREET =
  /^(?:c\/|cl?\.?\s|calle|avda|avd|av\.?\s|avenida|plaza|pza|pl\.?\s|paseo|p\.?º|ps\.?\s|camino|carretera|ctra|ronda|traves[ií]a|rambla|urb|urbanizaci[oó]n|pol[ií]gono|glorieta|pasaje|cuesta|callej[oó]n|barrio|lugar|carrer|r[uú]a|kalea)(?![a-záéíóúñ])/i;
/** What people write before the thing itself. */
const LABEL =
  /^(?:(?:mi|el|la|su)\s+)?(?:nombre(?: y apellidos)?|cliente|destinatario|me llamo|soy|a nombre de|direcci[oó]n|domicilio|env[ií]o|tel[eé]fono|tel|tlf|m[oó]vil|c[oó]digo postal|c\.?p\.?|ciudad|poblaci[oó]n|localidad)\s*(?::|es\s|-\s|(?<=me llamo|soy|nombre de)\s)\s*/i;
const WORD = /^(?:\p{Lu}[\p{L}'’.-]*|de|del|la|las|los|y|da|do|dos)$/u;
const GREETING = /^(?:hola|buen[oa]s|gracias|quiero|quer[ií]a|necesito|ok|vale|perfecto|s[ií]|no|para|por|un saludo|saludos)\b/i;

const tidy = (text: string) =>
  text
    .replace(/\s+/g, ' ')
    .replace(/^[\s,;:.·-]+|[\s,;:·-]+$/g, '')
    .trim();

function looksLikeName(line: string): boolean {
  const words = line.split(' ');
  return words.length >= 2 && words.length <= 6 && !GREETING.test(line) && words.every((word) => WORD.test(word));
}

/** Takes what `pattern` finds out of `text`: what was found, and what is left. */
function take(text: string, pattern: RegExp): [found: RegExpExecArray | null, left: string] {
  const found = pattern.exec(text);
  return [found, found ? `${text.slice(0, found.index)}\n${text.slice(found.index + found[0].length)}` : text];
}

/** Reads telephone, postcode, address and name out of a message; what is not found is empty. A person confirms it. */
export function recognise(text: string): Recognised {
  const [telephone, withoutTelephone] = take(
    text
      .normalize('NFC')
      .replace(/[\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g, '')
      .replace(STAMP, ''),
    TELEPHONE,
  );
  const [postcode, left] = take(withoutTelephone, POSTCODE);
  const digits = postcode?.[1] ? postcodeDigits(postcode[1]) : '';
  // The town stands behind its postcode, in the same line.
  const town =
    postcode && provinciaOf(digits, '')
      ? /^[ ,.-]*([^\n,;\d(]{2,60})/.exec(withoutTelephone.slice(postcode.index + postcode[0].length))
      : null;

  const labelled = new Map<string, string>();
  const lines = left.split('\n').flatMap((line) => {
    const label = LABEL.exec(line.trim())?.[0] ?? '';
    const said = tidy(line.trim().slice(label.length));
    if (said && /nombre|cliente|destinatario|llamo|soy/i.test(label)) labelled.set('nombre', said);
    else if (said && /direcci|domicilio|env/i.test(label)) labelled.set('direccion', said);
    else if (said && /ciudad|poblaci|localidad/i.test(label)) labelled.set('ciudad', said);
    return said ? [said] : [];
  });
  const city = labelled.get('ciudad') ?? tidy(town?.[1] ?? '');
  const others = lines.filter((line) => line !== city && line !== labelled.get('nombre'));
  // «Ana Ruiz, calle Mayor 3»: name and street in one line.
  const [address, before] = labelled.has('direccion') ? [labelled.get('direccion') ?? '', ''] : addressIn(others);
  const name = labelled.get('nombre') ?? [before, ...others].find((line) => line && !address.includes(line) && looksLikeName(line)) ?? '';
  const used = [name, address, city].filter(Boolean);
  const rest = lines.filter((line) => !used.some((part) => part.includes(line) || line.includes(part)));
  return {
    cliente_nombre: name,
    cliente_telefono: telephone ? tidy(telephone[0]) : '',
    cliente_direccion: address,
    cliente_codigo_postal: digits,
    cliente_ciudad: city,
    rest: rest.join('\n'),
  };
}

/** The address in one of the lines, and what stands before it there. */
function addressIn(lines: readonly string[]): [address: string, before: string] {
  for (const line of lines) {
    const parts = line.split(/,\s*/);
    const at = parts.findIndex((part) => STREET.test(part));
    if (at >= 0) return [tidy(parts.slice(at).join(', ')), tidy(parts.slice(0, at).join(', '))];
  }
  // No word for a street, but a line of words and a number may be one: «Mayor 3, 2º B».
  return [
    lines.find((line) => /^\p{L}[\p{L}\s.'’ºª/]{2,60}[ ,]+(?:n[.º°]*\s*)?\d{1,4}(?!\d)/u.test(line) && !GREETING.test(line)) ?? '',
    '',
  ];
}
